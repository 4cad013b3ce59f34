/** The command palette: type a page, an action, an address, a template, or the id of an email; Enter goes there. */
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { PAGES, SETTINGS_PAGES } from './pages.ts';
import { type Command, useActions, useFound } from './palette-actions.ts';
import { useCan, useMe, useMode } from './session.ts';

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const commands = useCommands(text.trim());
  const id = useId();
  const chosen = commands[Math.min(index, commands.length - 1)];
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.go();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(chosen);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' || step !== undefined) event.preventDefault();
    if (step !== undefined) setIndex((index + step + commands.length) % Math.max(1, commands.length));
  };
  return (
    <Dialog title="Go to" onClose={onClose} className="palette" hideTitle>
      <input
        className="palette-input"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${commands.indexOf(chosen)}` : undefined}
        aria-label="Page, action, email address, template or domain"
        placeholder="Page, action, email address, template or domain…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={pressed}
      />
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
        {commands.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard
          <div
            key={command.id ?? command.label}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className="palette-item"
            onClick={() => run(command)}
            onMouseMove={() => setIndex(place)}
          >
            <Icon name={command.icon} />
            <span className="grow">{command.label}</span>
            {command.keys ? <kbd>{command.keys}</kbd> : null}
          </div>
        ))}
      </div>
      {commands.length === 0 ? (
        <p className="card-body quiet">Nothing found. Try an email address, such as ada@example.org.</p>
      ) : null}
    </Dialog>
  );
}

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate();
  const mode = useMode();
  const can = useCan();
  const { is_operator: isOperator } = useMe();
  const wanted = text.toLowerCase();
  const pages = [
    ...PAGES.filter((page) => mode === 'sandbox' || !page.sandboxOnly),
    ...SETTINGS_PAGES.filter(
      (page) => (can.own || !page.ownersOnly) && (isOperator || !page.operatorsOnly),
    ).map((page) => ({ ...page, label: `Settings → ${page.label}` })),
  ]
    .filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(wanted))
    .map((page) => ({
      label: page.label,
      icon: page.icon,
      ...('key' in page ? { keys: `g ${page.key}` } : {}),
      go: () => navigate({ to: page.to }),
    }));
  const actions = useActions().filter(({ label, words = '' }) =>
    `${label} ${words}`.toLowerCase().includes(wanted),
  );
  const found = useFound(text);
  return [...addressed(text, navigate), ...pages, ...actions, ...found, ...searched(text, navigate)];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Navigate = ReturnType<typeof useNavigate>;

/** A typed id or address is an exact match, so it comes first. */
function addressed(text: string, navigate: Navigate): Command[] {
  const email = { icon: 'emails' } as const;
  if (UUID.test(text))
    return [
      { ...email, label: `Email ${text}`, go: () => navigate({ to: '/emails/$id', params: { id: text } }) },
    ];
  if (!/^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(text)) return [];
  const mail: Command = {
    ...email,
    label: `Emails to ${text}`,
    go: () => navigate({ to: '/emails', search: { to: text } }),
  };
  if (text.startsWith('@')) return [mail];
  const go = () => navigate({ to: '/suppressions', search: { email: text } });
  return [mail, { label: `Is ${text} suppressed?`, icon: 'suppressions', go }];
}

function searched(text: string, navigate: Navigate): Command[] {
  if (text.length < 3) return [];
  const go = () => navigate({ to: '/emails', search: { search: text } });
  return [{ label: `Search emails for “${text}”`, icon: 'search', go }];
}
