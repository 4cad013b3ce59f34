/** The command palette: type a page, an action, a name or anything else to find; Enter goes there. */
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Status } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { PAGES, SETTINGS_PAGES } from './pages.ts';
import { type Command, useActions, useElsewhere } from './palette-actions.ts';
import { type CommandGroup, groupsOf, useSearch } from './palette-search.tsx';
import { useCan, useMe, useMode } from './session.ts';

const ASKS_FOR = 'Name, address, subject, id, page or action';

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const { groups, note } = useCommands(text.trim());
  const commands = groups.flatMap((group) => group.commands);
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
    if (step === undefined) return;
    const next = (index + step + commands.length) % Math.max(1, commands.length);
    setIndex(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
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
        aria-label={ASKS_FOR}
        placeholder={`${ASKS_FOR}…`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={pressed}
      />
      <div className="palette-note quiet" role="status">
        {note}
      </div>
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
        {groups.map((group) => (
          <Options
            key={group.label}
            group={group}
            first={commands.indexOf(group.commands[0] as Command)}
            {...{ id, chosen, run, setIndex }}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly group: CommandGroup;
  /** The place of its first command among all. */
  readonly first: number;
  readonly chosen: Command | undefined;
  readonly run: (command: Command) => void;
  readonly setIndex: (place: number) => void;
}

function Options({ id, group: { label, commands }, first, chosen, run, setIndex }: OptionsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
    <div role="group" aria-label={label}>
      <div className="palette-heading" aria-hidden="true">
        {label}
      </div>
      {commands.map((command, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard
        <div
          key={command.id ?? command.label}
          id={`${id}-${first + place}`}
          role="option"
          tabIndex={-1}
          aria-selected={command === chosen}
          className="palette-item"
          onClick={() => run(command)}
          onMouseMove={() => setIndex(first + place)}
        >
          <Icon name={command.icon} />
          <span className="grow palette-text">
            <span>
              {command.label} {command.state ? <Status value={command.state} /> : null}
            </span>
            {command.detail ? <span className="small quiet">{command.detail}</span> : null}
          </span>
          {command.keys ? <kbd>{command.keys}</kbd> : null}
        </div>
      ))}
    </div>
  );
}

interface Shown {
  readonly groups: readonly CommandGroup[];
  readonly note: string;
}

function useCommands(text: string): Shown {
  const navigate = useNavigate();
  const local = useLocal(text);
  const elsewhere = useElsewhere(text);
  const { groups = [], error, isSearching } = useSearch(text);
  const found = groupsOf(groups, text, navigate);
  const hits = groups.reduce((sum, group) => sum + group.hits.length, 0);
  const isNothing = groups.length > 0 && hits === 0 && local.length === 0;
  const all = [
    { label: 'Pages and actions', commands: local },
    ...found,
    isNothing
      ? { label: 'Where else to look', commands: elsewhere }
      : { label: 'Search', commands: searched(text, navigate) },
  ];
  const note = isSearching ? 'Searching…' : error ? messageOf(error) : isNothing ? nothingOf(text) : '';
  return { groups: all.filter(({ commands }) => commands.length > 0), note };
}

function nothingOf(text: string): string {
  return `Nothing found for “${text}” in names, addresses, subjects and ids of emails, suppressions, refused requests, received mail, templates, domains and webhooks.`;
}

/** What needs no search: an address or id as it was typed, pages and actions. */
function useLocal(text: string): readonly Command[] {
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
  return [...addressed(text, navigate), ...pages, ...actions];
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
