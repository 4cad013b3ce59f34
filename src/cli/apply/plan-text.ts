/** Text output of plans and results. */
import type { EntryFields } from './entry.ts';
import type { EntryPlan, PlannedChange } from './plan.ts';

const SIGNS = { create: '+', change: '~', remove: '-' } as const;
const PAST = { create: 'Created', change: 'Changed', remove: 'Removed' } as const;
const KIND_WIDTH = 'organization'.length;
/** Limit for unchanged entries in the output. */
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

/** Entries that stay although the file omits them. */
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

/** Removes control characters, so that third-party text cannot move the terminal's cursor. */
function harmless(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

export function countWords(changes: readonly NamedChange[]): string {
  const of = (action: NamedChange['action']) => changes.filter((one) => one.action === action).length;
  return `${of('create')} to create, ${of('change')} to change, ${of('remove')} to remove.`;
}

/** The new values of a change: short values in full, texts by name. */
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
