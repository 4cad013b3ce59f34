/** A button with a menu, after the ARIA pattern: arrow keys and first letters choose, Escape closes. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from './button.tsx';

export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly onChoose: () => void;
}

interface Props {
  readonly entries: readonly MenuEntry[];
  /** The name of a button that shows only an icon. */
  readonly label?: string;
  readonly empty?: string;
  readonly children: ReactNode;
}

export function MenuButton({ entries, label, empty = '', children }: Props) {
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<'first' | 'last' | null>(null);
  const close = () => {
    setOpened(null);
    around.current?.querySelector('button')?.focus();
  };
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpened(null);
  };
  const choose = (entry: MenuEntry) => {
    close();
    entry.onChoose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only follows the focus of the buttons inside
    <div className="menu" ref={around} onBlur={leave}>
      <Button
        size="small"
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        aria-controls={opened === null ? undefined : id}
        aria-label={label}
        title={label}
        onClick={() => setOpened(opened === null ? 'first' : null)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpened(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        {children}
      </Button>
      {opened === null ? null : (
        <Menu {...{ id, entries, empty, begin: opened, onChoose: choose, onClose: close }} />
      )}
    </div>
  );
}

interface MenuProps {
  readonly id: string;
  readonly entries: readonly MenuEntry[];
  readonly empty: string;
  readonly begin: 'first' | 'last';
  readonly onChoose: (entry: MenuEntry) => void;
  readonly onClose: () => void;
}

function Menu({ id, entries, empty, begin, onChoose, onClose }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])];
  useEffect(() => {
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    all.at(begin === 'first' ? 0 : -1)?.focus();
  }, [begin]);
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const next = nextItem(event.key, items());
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className="menu-list" role="menu" id={id} ref={list} onKeyDown={pressed}>
      {entries.length === 0 ? <p className="quiet small menu-empty">{empty}</p> : null}
      {entries.map((entry) => (
        <button
          key={entry.key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          onClick={() => onChoose(entry)}
        >
          <span className="grow wrap">{entry.label}</span>
          {entry.hint ? <span className="quiet small">{entry.hint}</span> : null}
        </button>
      ))}
    </div>
  );
}

function nextItem(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const others = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return others.find((item) => item.textContent?.toLowerCase().startsWith(key.toLowerCase()));
}
