/** Saved views: the filters of a list under a name, of one member or shared with the organization. */
import { findUnwritable } from '../protocols/message/unsafe-text.ts';
import type { Problems } from '../runtime/problems.ts';

const PERIOD = ['period', 'from_date', 'to_date'] as const;

/** The filters of each list, as they are in the addresses of the dashboard. */
export const FILTERS = {
  emails: [
    ...['search', 'status', 'state', 'to', 'from', 'subject', 'tag', 'stream', 'batch_id', 'api_key_id'],
    ...PERIOD,
  ],
  request_logs: ['recipient', 'code', 'path', 'status', 'key_id', 'request_id', ...PERIOD],
  approvals: ['state'],
  holds: ['view'],
  templates: ['search'],
  suppressions: ['search', 'email', 'reason'],
  inbound: ['q', 'to'],
  sandbox_messages: ['q', 'to', 'show'],
  sites: ['view'],
  audit_log: ['action', 'actor_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ViewList = keyof typeof FILTERS;

export const VIEW_LISTS = Object.keys(FILTERS) as [ViewList, ...ViewList[]];

export type ViewQuery = Readonly<Record<string, string>>;

export const MAX_NAME_CHARACTERS = 60;
const MAX_QUERY_BYTES = 2_048;

/** Undefined for a name that may be stored. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty';
  // The cheap length check comes first, because a request may contain megabytes.
  if (name.length > 2 * MAX_NAME_CHARACTERS || [...name].length > MAX_NAME_CHARACTERS)
    return `must be at most ${MAX_NAME_CHARACTERS} characters`;
  const unwritable = findUnwritable(name);
  return unwritable === null ? undefined : `contains ${unwritable.codePoint}, which is not allowed there`;
}

export function checkQuery(list: ViewList, query: ViewQuery, problems: Problems): void {
  const filters: readonly string[] = FILTERS[list];
  const names = Object.keys(query);
  if (names.length === 0) problems.add('query', 'must contain at least one filter');
  for (const name of names)
    if (!filters.includes(name))
      problems.add(`query.${name}`, `is not a filter of ${list}. Its filters: ${filters.join(', ')}`);
  if (Buffer.byteLength(JSON.stringify(query)) > MAX_QUERY_BYTES)
    problems.add('query', `must be at most ${MAX_QUERY_BYTES.toLocaleString('en')} bytes of JSON`);
}
