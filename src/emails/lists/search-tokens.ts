/**
 * What an email can be found by, as numbers for an index: its sender, its recipients, its tags, and pieces of its
 * subject. Each number is a hash of the organization, the kind and the text, so an index lookup never sees another
 * organization's mail. A hash may stand for two texts: tokens only say where to look, the text itself decides.
 *
 * Pieces of a subject are four characters long, and of every three that follow each other only the one with the
 * smallest hash is kept ("winnowing"). Any part of a subject that has six characters or more contains at least one
 * of the pieces kept for the whole, which is what makes a search for part of a subject possible with half the pieces.
 *
 * Letters are folded more coarsely than any database lowers them: what a database takes for equal is equal here.
 */
import { domainOf, type EmailAddress } from '../../kit/message/address.ts';
import type { Tag } from '../email.ts';

export interface Searchable {
  readonly organizationId: string;
  readonly from: { readonly email: EmailAddress };
  readonly addresses: Readonly<Record<'to' | 'cc' | 'bcc', readonly { readonly email: EmailAddress }[]>>;
  readonly tags: readonly Tag[] | null;
  readonly subject: string;
}

export interface Wanted {
  readonly to: string | null;
  readonly from: string | null;
  readonly subject: string | null;
  readonly tag: { readonly name: string; readonly value: string | null } | null;
}

const PIECE = 4;
const WINDOW = 3;
/** A search for less than this finds no piece to look up. */
export const INDEXED_SUBJECT_CHARS = PIECE + WINDOW - 1;

/** Everything an email can be found by. */
export function searchTokensOf({ organizationId, from, addresses, tags, subject }: Searchable): number[] {
  const tokens = new Set<number>();
  const salt = hashText(0x811c9dc5, organizationId);
  addAddress(tokens, hashText(salt, 'from'), from.email);
  const to = hashText(salt, 'to');
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const { email } of addresses[kind]) addAddress(tokens, to, email);
  }
  for (const { name, value } of tags ?? []) {
    tokens.add(tagToken(salt, name, null));
    tokens.add(tagToken(salt, name, value));
  }
  addPieces(tokens, hashText(salt, 'subject'), subject);
  return [...tokens];
}

/** All of these belong to an email that is wanted; none where an index cannot help. */
export function tokensWanted(organizationId: string, wanted: Wanted): number[] {
  const tokens = new Set<number>();
  const salt = hashText(0x811c9dc5, organizationId);
  if (wanted.from !== null) tokens.add(addressToken(hashText(salt, 'from'), wanted.from));
  if (wanted.to !== null) tokens.add(addressToken(hashText(salt, 'to'), wanted.to));
  if (wanted.tag !== null) tokens.add(tagToken(salt, wanted.tag.name, wanted.tag.value));
  if (wanted.subject !== null) addPieces(tokens, hashText(salt, 'subject'), wanted.subject);
  return [...tokens];
}

/** By the whole address, and by `@` and its domain. */
function addAddress(tokens: Set<number>, salt: number, address: EmailAddress): void {
  tokens.add(addressToken(salt, address));
  tokens.add(addressToken(step(salt, fold('@')), domainOf(address)));
}

function addressToken(salt: number, address: string): number {
  let hash = salt;
  for (const char of address) hash = step(hash, fold(char));
  return finish(hash);
}

function tagToken(salt: number, name: string, value: string | null): number {
  const hash = hashText(hashText(salt, 'tag'), name);
  return finish(value === null ? hash : hashText(step(hash, -1), value));
}

function addPieces(tokens: Set<number>, salt: number, text: string): void {
  const chars = Array.from(text, fold);
  const hashes = new Array<number>(Math.max(0, chars.length - PIECE + 1));
  for (let at = 0; at < hashes.length; at += 1) hashes[at] = pieceToken(salt, chars, at);
  for (let at = 0; at + WINDOW <= hashes.length; at += 1) {
    let least = hashes[at] as number;
    for (let next = at + 1; next < at + WINDOW; next += 1) least = Math.min(least, hashes[next] as number);
    tokens.add(least);
  }
}

function pieceToken(salt: number, chars: readonly number[], at: number): number {
  let hash = salt;
  for (let next = at; next < at + PIECE; next += 1) hash = step(hash, chars[next] as number);
  return finish(hash);
}

/** Upper-casing first brings together what lower-casing alone keeps apart, such as the two small sigmas. */
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

/** Spreads what the last characters changed over all bits (the end of MurmurHash3). */
function finish(hash: number): number {
  let out = hash ^ (hash >>> 16);
  out = Math.imul(out, 0x85ebca6b);
  out ^= out >>> 13;
  out = Math.imul(out, 0xc2b2ae35);
  return (out ^ (out >>> 16)) | 0;
}
