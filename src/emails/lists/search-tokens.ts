/**
 * Search tokens: numbers by which an index finds an email through its sender, its recipients, its tags, its template, its API
 * key, its metadata values, and parts of its subject and of its recipients' addresses and names. Each number is a hash of the
 * organization, the kind and the text, so an index lookup never finds another organization's mail. Two texts may have the same
 * hash, so the texts themselves are always compared afterwards.
 *
 * Pieces of a text are four characters long. Of every three consecutive pieces, only the one with the smallest hash is kept
 * ("winnowing"). Any part of a text with six characters or more contains at least one of the kept pieces, so such a part can be
 * searched for with half the pieces. Shorter parts are searched for at the beginnings of words, by the first three characters
 * of every word.
 *
 * A text with other letters than ASCII is indexed in every spelling (see database/spellings.ts).
 *
 * Case folding is coarser than any database's lower-casing: texts that a database considers equal are equal here.
 */
import { spellingsOf } from '../../database/spellings.ts';
import { domainOf, type EmailAddress } from '../../protocols/message/address.ts';
import type { Metadata, Tag } from '../email.ts';
import { STREAM_TAG, TRANSACTIONAL } from '../stream.ts';
import { parseTagFilter, type TagFilter } from '../tag-filter.ts';

interface Addressee {
  readonly email: EmailAddress;
  readonly name: string | null;
}

export interface Searchable {
  readonly organizationId: string;
  readonly from: { readonly email: EmailAddress };
  readonly addresses: Readonly<Record<'to' | 'cc' | 'bcc', readonly Addressee[]>>;
  readonly tags: readonly Tag[] | null;
  /** Null means `transactional`. */
  readonly stream?: string | null;
  readonly metadata: Metadata | null;
  readonly template: { readonly id: string } | null;
  /** The API key that submitted it. */
  readonly keyId?: string | null;
  readonly subject: string;
}

export interface WantedTokens {
  readonly to: string | null;
  readonly from: string | null;
  readonly subject: string | null;
  readonly tag: TagFilter | null;
  readonly stream?: string | null;
  /** An API key. */
  readonly sentWith?: string | null;
}

const PIECE = 4;
const WINDOW = 3;
/** A search for fewer characters contains no complete piece. */
export const INDEXED_CHARS = PIECE + WINDOW - 1;
/** The length of a word's indexed beginning. */
const BEGINNING = 3;
/**
 * The number of recipients whose addresses and names are indexed by parts, which bounds the cost of one email. The others are
 * indexed by the whole address.
 */
const FOUND_BY_PARTS = 10;

export function searchTokensOf(email: Searchable): number[] {
  const { organizationId, from, addresses, tags, stream = null, keyId = null, subject } = email;
  const tokens = new Set<number>();
  const salt = hashText(0x811c9dc5, organizationId);
  addAddress(tokens, hashText(salt, 'from'), from.email);
  const to = hashText(salt, 'to');
  const texts = textSalts(salt);
  let left = FOUND_BY_PARTS;
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const { email: address, name } of addresses[kind]) {
      addAddress(tokens, to, address);
      left -= 1;
      if (left < 0) continue;
      addText(tokens, texts, address);
      if (name !== null) addText(tokens, texts, name);
    }
  }
  for (const { name, value } of tags ?? []) {
    tokens.add(tagToken(salt, name, null));
    tokens.add(tagToken(salt, name, value));
  }
  if (stream !== null) addStreamTokens(tokens, salt, stream);
  addValues(tokens, hashText(salt, 'value'), email);
  if (keyId !== null) tokens.add(keyToken(salt, keyId));
  addText(tokens, texts, subject);
  return [...tokens];
}

/** A matching email has all of these; empty if an index cannot help. */
export function searchTokens(organizationId: string, wanted: WantedTokens): number[] {
  const tokens = new Set<number>();
  const salt = hashText(0x811c9dc5, organizationId);
  if (wanted.from !== null) tokens.add(textToken(hashText(salt, 'from'), wanted.from));
  if (wanted.to !== null) tokens.add(textToken(hashText(salt, 'to'), wanted.to));
  if (wanted.tag !== null && !isDefaultStream(wanted.tag))
    tokens.add(tagToken(salt, wanted.tag.name, wanted.tag.value));
  if (wanted.stream != null && wanted.stream !== TRANSACTIONAL) tokens.add(streamToken(salt, wanted.stream));
  if (wanted.sentWith != null) tokens.add(keyToken(salt, wanted.sentWith));
  if (wanted.subject !== null) addPieces(tokens, textSalts(salt).pieces, folded(wanted.subject));
  return [...tokens];
}

/** The tokens of one word of a search: an email matches with all parts of one spelling, or with any of `wholes`. */
interface WordTokens {
  /** Parts of a text, for each spelling; empty if the word is too short to be searched for in texts. */
  readonly parts: readonly (readonly number[])[];
  /** A tag, a value, a template, a sender, a key. */
  readonly wholes: readonly number[];
}

export function tokensOfWord(
  organizationId: string,
  { text, templateIds }: { readonly text: string; readonly templateIds: readonly string[] },
): WordTokens {
  const salt = hashText(0x811c9dc5, organizationId);
  const value = hashText(salt, 'value');
  const tag = parseTagFilter(text);
  const wholes = [text, ...templateIds].map((whole) => textToken(value, whole));
  wholes.push(tagToken(salt, text, null), tagToken(salt, tag.name, tag.value));
  wholes.push(textToken(hashText(salt, 'from'), text));
  if (isKeyId(text)) wholes.push(keyToken(salt, text));
  const salts = textSalts(salt);
  const parts = spellingsOf(text).map((spelling) => partsOf(salts, spelling));
  return { parts: parts.filter(({ length }) => length > 0), wholes: [...new Set(wholes)] };
}

function partsOf({ pieces, words }: TextSalts, text: string): number[] {
  const tokens = new Set<number>();
  const chars = folded(text);
  if (chars.length >= INDEXED_CHARS) addPieces(tokens, pieces, chars);
  else addBeginnings(tokens, words, chars);
  return [...tokens];
}

interface TextSalts {
  readonly pieces: number;
  readonly words: number;
}

/** Pieces of all texts share the salts that were the subject's at first, so that older mail is still found. */
function textSalts(salt: number): TextSalts {
  return { pieces: hashText(salt, 'subject'), words: hashText(salt, 'word') };
}

function addText(tokens: Set<number>, { pieces, words }: TextSalts, text: string): void {
  for (const spelling of spellingsOf(text)) {
    const chars = folded(spelling);
    addPieces(tokens, pieces, chars);
    addBeginnings(tokens, words, chars);
  }
}

function addValues(
  tokens: Set<number>,
  salt: number,
  { tags, stream, metadata, template }: Searchable,
): void {
  if (stream != null) tokens.add(textToken(salt, stream));
  for (const { value } of tags ?? []) tokens.add(textToken(salt, value));
  for (const name in metadata) tokens.add(textToken(salt, String(metadata[name])));
  if (template !== null) tokens.add(textToken(salt, template.id));
}

/** Adds the whole address, and `@` with its domain. */
function addAddress(tokens: Set<number>, salt: number, address: EmailAddress): void {
  tokens.add(textToken(salt, address));
  tokens.add(textToken(step(salt, fold('@')), domainOf(address)));
}

function textToken(salt: number, text: string): number {
  let hash = salt;
  for (const char of text) hash = step(hash, fold(char));
  return finish(hash);
}

function keyToken(salt: number, keyId: string): number {
  return textToken(hashText(salt, 'key'), keyId);
}

/** Whether a word of a search may be the id of an API key. */
export function isKeyId(text: string): boolean {
  return text.startsWith('key_');
}

/** A filter by tag finds the stream, too. */
function addStreamTokens(tokens: Set<number>, salt: number, stream: string): void {
  tokens.add(tagToken(salt, STREAM_TAG, null));
  tokens.add(streamToken(salt, stream));
}

/** Mail of the default stream has no token. */
function isDefaultStream({ name, value }: TagFilter): boolean {
  return name === STREAM_TAG && value === TRANSACTIONAL;
}

/** The token of a tag, because mail accepted before the column `stream` is indexed under the tag. */
function streamToken(salt: number, stream: string): number {
  return tagToken(salt, STREAM_TAG, stream);
}

function tagToken(salt: number, name: string, value: string | null): number {
  const hash = hashText(hashText(salt, 'tag'), name);
  return finish(value === null ? hash : hashText(step(hash, -1), value));
}

function folded(text: string): number[] {
  return Array.from(text, fold);
}

function addPieces(tokens: Set<number>, salt: number, chars: readonly number[]): void {
  const hashes = new Array<number>(Math.max(0, chars.length - PIECE + 1));
  for (let at = 0; at < hashes.length; at += 1) hashes[at] = pieceToken(salt, chars, at);
  for (let at = 0; at + WINDOW <= hashes.length; at += 1) {
    let least = hashes[at] as number;
    for (let next = at + 1; next < at + WINDOW; next += 1) least = Math.min(least, hashes[next] as number);
    tokens.add(least);
  }
}

/** Adds words of at least that length. */
function addBeginnings(tokens: Set<number>, salt: number, chars: readonly number[]): void {
  let length = 0;
  for (let at = 0; at < chars.length; at += 1) {
    length = isOfWord(chars[at] as number) ? length + 1 : 0;
    if (length === BEGINNING) tokens.add(pieceToken(salt, chars, at + 1 - BEGINNING, BEGINNING));
  }
}

/** ASCII letters and digits, and all other characters outside ASCII. */
function isOfWord(code: number): boolean {
  return code >= 0x80 || (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function pieceToken(salt: number, chars: readonly number[], at: number, length = PIECE): number {
  let hash = salt;
  for (let next = at; next < at + length; next += 1) hash = step(hash, chars[next] as number);
  return finish(hash);
}

/** Upper-casing first unifies characters that lower-casing alone keeps distinct, such as the two small sigmas. */
function fold(char: string): number {
  const code = char.codePointAt(0) as number;
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  return firstOf(firstOf(char.toUpperCase()).toLowerCase()).codePointAt(0) as number;
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) as number);
}

function hashText(hash: number, text: string): number {
  let out = hash;
  for (let at = 0; at < text.length; at += 1) out = step(out, text.charCodeAt(at));
  return step(out, -2);
}

/** FNV-1a, over code points instead of bytes. */
function step(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}

/** Spreads the effect of the last characters over all bits (the finalizer of MurmurHash3). */
function finish(hash: number): number {
  let out = hash ^ (hash >>> 16);
  out = Math.imul(out, 0x85ebca6b);
  out ^= out >>> 13;
  out = Math.imul(out, 0xc2b2ae35);
  return (out ^ (out >>> 16)) | 0;
}
