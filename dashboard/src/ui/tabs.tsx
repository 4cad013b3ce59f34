/** Tabs after the ARIA pattern: one stop for Tab, arrow keys between them. */
import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface Tab<K extends string> {
  readonly key: K;
  readonly label: ReactNode;
}

interface Props<K extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly chosen: K;
  readonly onChoose: (key: K) => void;
  readonly children: ReactNode;
}

export function Tabs<K extends string>({ label, tabs, chosen, onChoose, children }: Props<K>) {
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.key === chosen);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => onChoose(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

/** A choice of a few, all of them visible. */
export function Segments<K extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly Tab<K>[];
  readonly chosen: K;
  readonly onChoose: (key: K) => void;
}) {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.key}
          type="button"
          className="segment"
          aria-pressed={option.key === chosen}
          onClick={() => onChoose(option.key)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
