/** How plans and what became of them read. */
import type { EntryFields } from './entry.ts';
import type { EntryPlan, PlannedChange } from './plan.ts';

const SIGNS = { create: '+', change: '~', remove: '-' } as const;
const PAST = { create: 'Created', change: 'Changed', remove: 'Removed' } as const;
const KIND_WIDTH = 'organization'.length;
/** A list of what is left alone is for a look at it, not for reading thousands. */
const MAX_NAMED = 20;

export interface NamedChange extends Omit<PlannedChange, 'kind'> {
  readonly kind: PlannedChange['kind'] | 'organization' | 'routes';
}

export function changeLine({ action, kind, name, fields }: NamedChange): string {
  const about = detailOf(kind, action, fields);
  return harmless(
    `  ${SIGNS[action]} ${[kind.padEnd(KIND_WIDTH), name, about && `(${about})`].filter(Boolean).join('  ')}`,
  );
}

export function doneLine({ action, kind, name }: NamedChange): string {
  return harmless(`${PAST[action]} the ${name === '' ? kind : `${kind} ${name}`}.`);
}

/** What stays although the file does not name it. */
export function stayingLines({ kept, extra }: EntryPlan): string[] {
  const named = extra.slice(0, MAX_NAMED).map(({ kind, name }) => `${kind} ${name}`);
  if (extra.length > MAX_NAMED) named.push(`${extra.length - MAX_NAMED} more`);
  return [
    ...kept.map(
      ({ entry, why }) => `  = ${entry.kind.padEnd(KIND_WIDTH)}  ${entry.name} (${entry.id}) stays: ${why}`,
    ),
    ...(named.length === 0 ? [] : [`  Not in the file, and left alone: ${named.join(', ')}`]),
  ].map(harmless);
}

/** Somebody's words must not move a terminal's cursor. */
function harmless(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

export function countWords(changes: readonly NamedChange[]): string {
  const of = (action: NamedChange['action']) => changes.filter((one) => one.action === action).length;
  return `${of('create')} to create, ${of('change')} to change, ${of('remove')} to remove.`;
}

/** Of a change, what is set: short values as they are, texts by their name. */
function detailOf(kind: NamedChange['kind'], action: NamedChange['action'], fields: EntryFields): string {
  if (kind === 'template' && action === 'create') return '';
  return Object.entries(fields)
    .filter(([, value]) => action === 'change' || value !== null)
    .map(([field, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.length > 60 || /\s{2}|\n/.test(text) ? field : `${field}: ${text}`;
    })
    .join(', ');
}
