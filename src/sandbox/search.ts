/**
 * Searches captured messages, including their bodies. Bodies are stored encoded and decoded for the search:
 * an inbox holds about a thousand messages, only the beginning of each is read, and the search yields between
 * batches.
 *
 * Owns the searches in progress: an organization runs at most one at a time.
 */
import type { Sql } from '../database/sql.ts';
import { readShown, textOf } from '../protocols/message/reading/shown-message.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { Turns } from '../runtime/turns.ts';
import {
  KEPT_MESSAGES,
  type MessageFilter,
  type MessageRow,
  type SandboxReader,
  type SearchedRow,
  searchedAfter,
} from './store.ts';

/** Messages loaded per batch. */
const STEP_ROWS = 25;
const MAX_WORDS = 10;
/** Per organization, including the running search. */
const MAX_SEARCHES = 10;
const COME_BACK_SECONDS = 2;

export class InboxSearch {
  readonly #db: Sql;
  readonly #lines = new Map<string, { count: number; last: Promise<unknown> }>();

  constructor(db: Sql) {
    this.#db = db;
  }

  async find(reader: SandboxReader, words: string, filter: MessageFilter): Promise<MessageRow[]> {
    const wanted = wordsOf(words);
    return this.#inLine(reader.organizationId, () => findAll(this.#db, reader, wanted, filter));
  }

  async #inLine<T>(organizationId: string, search: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(organizationId) ?? { count: 0, last: Promise.resolve() };
    if (line.count === MAX_SEARCHES)
      throw new ServiceError(
        'RATE_LIMITED',
        'Too many searches of this inbox are under way. Try again shortly.',
        {
          retryAfterSeconds: COME_BACK_SECONDS,
        },
      );
    this.#lines.set(organizationId, line);
    line.count += 1;
    const found = line.last.then(search);
    line.last = found.catch(() => {});
    try {
      return await found;
    } finally {
      line.count -= 1;
      if (line.count === 0) this.#lines.delete(organizationId);
    }
  }
}

function wordsOf(text: string): string[] {
  const words = new Set(text.toLowerCase().split(/\s+/));
  words.delete('');
  if (words.size <= MAX_WORDS) return [...words];
  const message = `must not have more than ${MAX_WORDS} words`;
  throw new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'q', message }] });
}

async function findAll(
  db: Sql,
  reader: SandboxReader,
  wanted: readonly string[],
  filter: MessageFilter,
): Promise<MessageRow[]> {
  const turns = new Turns();
  const found: MessageRow[] = [];
  let before: string | null = null;
  for (let read = 0; read < KEPT_MESSAGES; read += STEP_ROWS) {
    const rows: SearchedRow[] = await searchedAfter(db, reader, { ...filter, before, limit: STEP_ROWS });
    for (const { head, ...row } of rows) {
      if (hasAll(wanted, row, head)) found.push(row);
      if (turns.isOver) await turns.next();
    }
    before = rows.at(-1)?.id ?? null;
    if (rows.length < STEP_ROWS) break;
  }
  return found;
}

function hasAll(wanted: readonly string[], row: MessageRow, head: Buffer): boolean {
  const facts = `${row.subject} ${row.rcpt_to} ${row.from_email} ${row.from_name ?? ''}`.toLowerCase();
  const missing = wanted.filter((word) => !facts.includes(word));
  if (missing.length === 0) return true;
  const body = bodyOf(head);
  return missing.every((word) => body.includes(word));
}

/** The body as written: words split by markup are not found, but link targets are. */
function bodyOf(head: Buffer): string {
  const { html, text } = readShown(head);
  return [text, html]
    .map((part) => (part === null ? '' : textOf(part)))
    .join('\n')
    .toLowerCase();
}
