/**
 * Looks for words in captured messages, their bodies included. Bodies are stored as they were sent, so they are decoded to be
 * searched: an inbox holds a thousand messages at most, and of each the beginning is read, a few at a time.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Sql } from '../kit/database/sql.ts';
import { readShown, textOf } from '../kit/message/reading/shown-message.ts';
import { type MessageRow, type SandboxReader, type SearchedRow, searchedAfter } from './store.ts';

/** How many are loaded at once. */
const STEP_ROWS = 50;

export async function searchMessages(
  db: Sql,
  reader: SandboxReader,
  { words, to, unread }: { readonly words: string; readonly to: string | null; readonly unread: boolean },
): Promise<MessageRow[]> {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: MessageRow[] = [];
  let before: string | null = null;
  for (;;) {
    const rows: SearchedRow[] = await searchedAfter(db, reader, { before, to, unread, limit: STEP_ROWS });
    for (const { head, ...row } of rows) if (hasAll(wanted, row, head)) found.push(row);
    before = rows.at(-1)?.id ?? null;
    if (rows.length < STEP_ROWS || before === null) return found;
    await breathe();
  }
}

function hasAll(wanted: readonly string[], row: MessageRow, head: Buffer): boolean {
  const facts = `${row.subject} ${row.rcpt_to} ${row.from_email} ${row.from_name ?? ''}`.toLowerCase();
  const missing = wanted.filter((word) => !facts.includes(word));
  if (missing.length === 0) return true;
  const body = bodyOf(head);
  return missing.every((word) => body.includes(word));
}

/** What a reader reads; the markup between it does not count, but where links lead does. */
function bodyOf(head: Buffer): string {
  const { html, text } = readShown(head);
  return [text, html]
    .map((part) => (part === null ? '' : textOf(part)))
    .join('\n')
    .toLowerCase();
}
