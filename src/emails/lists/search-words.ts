/**
 * A free-text search: every word must occur somewhere in the email. Token matches count together with the texts (see
 * search-tokens.ts), so a scan finds the same emails as the index.
 */
import { hasSpelling, patternsFor } from '../../database/spellings.ts';
import type { Where } from '../../database/sql.ts';
import { STREAM_TAG } from '../stream.ts';
import { parseTagFilter } from '../tag-filter.ts';
import { isKeyId, tokensOfWord } from './search-tokens.ts';

export interface SearchWord {
  readonly text: string;
  /** Templates with a matching name. */
  readonly templateIds: readonly string[];
}

/** Each word costs an index lookup. */
export const MAX_WORDS = 8;

export function searchWords(text: string): SearchWord[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return [...new Set(words)].map((word) => ({ text: word, templateIds: [] }));
}

/** A condition: the search index has the email `e` under this word. */
export function isIndexedUnder(where: Where, organizationId: string, word: SearchWord): string {
  const { parts, wholes } = tokensOfWord(organizationId, word);
  const array = (tokens: readonly number[]) => `${where.param(`{${tokens.join(',')}}`)}::int4[]`;
  const found = [`e.search && ${array(wholes)}`];
  found.unshift(...parts.map((spelling) => `e.search @> ${array(spelling)}`));
  const ids = idsBeginningWith(word.text);
  if (ids !== null) found.push(`e.id BETWEEN ${where.param(ids.first)} AND ${where.param(ids.last)}`);
  return `(${found.join(' OR ')})`;
}

/** A condition: the email `e` contains the word. Mail from before tokens is matched by its texts only. */
export function hasWord(where: Where, organizationId: string, word: SearchWord): string {
  const { parts } = tokensOfWord(organizationId, word);
  const has =
    parts.length > 0 ? [...textsWith(where, word.text), ...wholesWith(where, word)] : wholesWith(where, word);
  const ids = idsBeginningWith(word.text);
  if (ids !== null) has.push(`e.id BETWEEN ${where.param(ids.first)} AND ${where.param(ids.last)}`);
  return `(e.search IS NULL OR ${isIndexedUnder(where, organizationId, word)}) AND (${has.join(' OR ')})`;
}

/** Checks the first recipient before all of them, because most emails have one. */
function textsWith(where: Where, text: string): string[] {
  const patterns = `${where.param(patternsFor(text))}::text[]`;
  return [
    hasSpelling('e.subject', patterns),
    `e.addresses->'to'->0->>'email' ILIKE ANY (${patterns})`,
    `EXISTS (SELECT FROM jsonb_array_elements((e.addresses->'to') || (e.addresses->'cc') || (e.addresses->'bcc')) AS r
             WHERE ${hasSpelling("r->>'email'", patterns)} OR ${hasSpelling("r->>'name'", patterns)})`,
  ];
}

function wholesWith(where: Where, { text, templateIds }: SearchWord): string[] {
  const whole = where.param(text);
  const templates = where.param(templateIds);
  return [
    `e.template_id = ${whole} OR e.template_id = ANY (${templates}::text[])`,
    `lower(e.from_email) = lower(${whole})`,
    `EXISTS (SELECT FROM jsonb_array_elements(e.tags) AS t
             WHERE ${whole} IN (t->>'name', (t->>'name') || ':' || (t->>'value')) OR lower(t->>'value') = lower(${whole}))`,
    `lower(e.stream) = lower(${whole})`,
    ...streamsWith(where, text),
    `EXISTS (SELECT FROM jsonb_each_text(e.metadata) AS m WHERE lower(m.value) = lower(${whole}))`,
    ...(isKeyId(text) ? [`e.api_key_id = ${whole}`] : []),
  ];
}

/** For a search for the tag that names a stream. Mail that has the tag itself is found as mail with any other tag. */
function streamsWith(where: Where, text: string): string[] {
  const { name, value } = parseTagFilter(text);
  if (name !== STREAM_TAG) return [];
  return [value === null ? 'e.stream IS NOT NULL' : `e.stream = ${where.param(value)}`];
}

const ID_BEGINNING = /^[0-9a-f]{8}[0-9a-f-]*$/;
const ID_DIGITS = 32;

/** The range of ids with this prefix, if the text can be the beginning of an id. */
function idsBeginningWith(text: string): { readonly first: string; readonly last: string } | null {
  const lower = text.toLowerCase();
  const digits = lower.replaceAll('-', '');
  if (!ID_BEGINNING.test(lower) || digits.length > ID_DIGITS) return null;
  return { first: digits.padEnd(ID_DIGITS, '0'), last: digits.padEnd(ID_DIGITS, 'f') };
}
