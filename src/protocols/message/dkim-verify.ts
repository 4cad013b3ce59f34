/**
 * Verifies the DKIM signatures of a message (RFC 6376, 8463): rsa-sha256 and ed25519-sha256, both canonical
 * forms. Keys are looked up through `lookUp`. rsa-sha1 signatures are ignored (RFC 8301).
 *
 * Messages are untrusted, so cheap checks come first: the signature's syntax, the key, the signature over the
 * header. The body is hashed only for a header signed with a published key.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Turns } from '../../runtime/turns.ts';
import type { Answer } from '../dns/answer.ts';
import { halvesOf } from './address.ts';
import { canonicalField } from './dkim-canonical.ts';
import { ambiguityOf } from './reading/ambiguity.ts';
import { type ScannedField, scanHeader } from './reading/header-scan.ts';

type LookUpKey = (name: string) => Promise<Answer<string>>;

export interface VerifiedSignature {
  readonly domain: string;
  readonly selector: string;
  readonly result: 'pass' | 'fail' | 'permerror' | 'temperror';
  /** Why the signature is invalid. */
  readonly reason: string | null;
}

/** Only the first ones are checked, because each may need a DNS query. */
const MAX_SIGNATURES = 5;
const MAX_SIGNATURE_CHARS = 16 * 1024;
const MAX_SIGNED_NAMES = 500;
const MIN_RSA_BITS = 1024;
/** RFC 8301, 3.2, requires no more; verifying with a key of 16,384 bits takes a hundred times as long. */
const MAX_RSA_BITS = 4096;
const MAX_RSA_EXPONENT = 2n ** 32n;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i;
const ALGORITHMS = new Set(['rsa-sha256', 'ed25519-sha256']);

/**
 * `ambiguity`: why programs may read the message differently, if already known. Then no signature is valid.
 */
export async function verifyDkim(
  raw: Buffer,
  lookUp: LookUpKey,
  nowMs: number,
  ambiguity?: string | null,
): Promise<readonly VerifiedSignature[]> {
  const { fields, bodyAt } = scanHeader(raw, 0, raw.length);
  const signatures = fields.filter(({ name }) => name === 'dkim-signature').slice(0, MAX_SIGNATURES);
  if (signatures.length === 0) return [];
  const message: Message = {
    raw,
    fields,
    hashes: new BodyHashes(raw.subarray(bodyAt)),
    ambiguity: ambiguity === undefined ? await ambiguityOf(raw) : ambiguity,
  };
  const found: VerifiedSignature[] = [];
  for (const field of signatures) {
    const signed = readSignature(message, field);
    const outcome = await judge(signed, lookUp, nowMs);
    found.push({ domain: signed.domain.slice(0, 253), selector: signed.selector.slice(0, 253), ...outcome });
  }
  return found;
}

interface Message {
  readonly raw: Buffer;
  readonly fields: readonly ScannedField[];
  readonly hashes: BodyHashes;
  readonly ambiguity: string | null;
}

interface Signed {
  readonly message: Message;
  /**
   * The whole field, and the tags after its colon, one character per byte, because signatures cover bytes.
   */
  readonly text: string;
  readonly tagsAt: number;
  readonly tags: TagList;
  readonly domain: string;
  readonly selector: string;
}

type Outcome = Pick<VerifiedSignature, 'result' | 'reason'>;

function readSignature(message: Message, { start, valueAt, end }: ScannedField): Signed {
  const text = message.raw.toString('latin1', start, Math.min(end, start + MAX_SIGNATURE_CHARS + 1));
  const tags = readTags(text.slice(valueAt - start));
  const domain = (tags.values.get('d') ?? '').toLowerCase();
  const selector = (tags.values.get('s') ?? '').toLowerCase();
  return { message, text, tagsAt: valueAt - start, tags, domain, selector };
}

async function judge(signed: Signed, lookUp: LookUpKey, nowMs: number): Promise<Outcome> {
  const { message, domain, selector } = signed;
  const { values } = signed.tags;
  const problem = malformed(signed, nowMs);
  if (problem !== null) return failed(problem);
  if (!isOfDomain(values.get('i'), domain))
    return { result: 'permerror', reason: 'The signature is for somebody of another domain (i=, d=).' };
  if (message.ambiguity !== null) return failed(message.ambiguity);
  const answer = await lookUp(`${selector}._domainkey.${domain}`);
  if (answer.kind === 'unavailable') return { result: 'temperror', reason: 'DNS did not say the key.' };
  const key = answer.kind === 'found' ? publishedKeyOf(answer.records, values.get('a') as string) : null;
  if (key === null) return failed('No usable key is published under the name that the signature gives.');
  if (!isGood(signed, key))
    return failed('The headers are not those that were signed, or the key is another.');
  const hash = await message.hashes.of(formsOf(values)?.body ?? 'simple');
  return hash === values.get('bh')
    ? { result: 'pass', reason: null }
    : failed('The body is not the one that was signed.');
}

function isGood(signed: Signed, key: KeyObject): boolean {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = Buffer.from(signed.tags.values.get('b') ?? '', 'base64');
  try {
    return verify(algorithm, inputOf(signed, key), key, signature);
  } catch {
    // The signature's length does not match the key's.
    return false;
  }
}

function malformed({ text, tags, domain, selector }: Signed, nowMs: number): string | null {
  const { values } = tags;
  const names = signedNames(values);
  if (values.get('v') !== '1' || !NAME.test(domain) || !NAME.test(selector) || tags.hasDuplicates)
    return NOT_WELL_FORMED;
  if (text.length > MAX_SIGNATURE_CHARS || names.length > MAX_SIGNED_NAMES || formsOf(values) === null)
    return NOT_WELL_FORMED;
  if (!ALGORITHMS.has((values.get('a') ?? '').toLowerCase()))
    return 'The signature is of a kind that counts for nothing.';
  if (!names.includes('from')) return 'The signature does not cover From.';
  const expires = Number(values.get('x') ?? Number.POSITIVE_INFINITY);
  if (!(expires * 1000 > nowMs)) return 'The signature has expired.';
  // Readers also see text appended after the signed part of the body.
  if (values.has('l')) return 'The signature covers only a part of the body.';
  return null;
}

const NOT_WELL_FORMED = 'The signature is not well formed.';

/**
 * RFC 6376, 3.5: the identity must be at the signing domain or below; without one it is any address there.
 */
function isOfDomain(identity: string | undefined, domain: string): boolean {
  if (identity === undefined) return true;
  const named = halvesOf(identity).domain.toLowerCase();
  return identity.includes('@') && (named === domain || named.endsWith(`.${domain}`));
}

function failed(reason: string): Outcome {
  return { result: 'fail', reason };
}

function formsOf(tags: TagList['values']): { header: CanonicalForm; body: CanonicalForm } | null {
  const [header = 'simple', body = 'simple', more] = (tags.get('c') ?? 'simple').toLowerCase().split('/');
  return isForm(header) && isForm(body) && more === undefined ? { header, body } : null;
}

function isForm(name: string): name is CanonicalForm {
  return name === 'simple' || name === 'relaxed';
}

function inputOf({ message, text, tagsAt, tags }: Signed, key: KeyObject): Buffer {
  const form = formsOf(tags.values)?.header === 'relaxed' ? canonicalField : (field: string) => field;
  const { start = 0, end = 0 } = tags.places.get('b') ?? {};
  const own = text.slice(0, tagsAt + start) + text.slice(tagsAt + end);
  const signed = [...chosenFields(message, signedNames(tags.values)), own].map(form).join('\r\n');
  const input = Buffer.from(signed, 'latin1');
  return key.asymmetricKeyType === 'ed25519' ? createHash('sha256').update(input).digest() : input;
}

function signedNames(tags: TagList['values']): string[] {
  return (tags.get('h') ?? '').split(':', MAX_SIGNED_NAMES + 1).map((name) => name.trim().toLowerCase());
}

/** Each name takes the last unused field of that name; a missing field counts as empty. */
function chosenFields({ raw, fields }: Message, names: readonly string[]): string[] {
  const left = new Map<string, ScannedField[]>();
  for (const field of fields) {
    const same = left.get(field.name);
    if (same === undefined) left.set(field.name, [field]);
    else same.push(field);
  }
  return names.flatMap((name) => {
    const field = left.get(name)?.pop();
    return field === undefined ? [] : [raw.toString('latin1', field.start, field.end)];
  });
}

function publishedKeyOf(records: readonly string[], algorithm: string): KeyObject | null {
  for (const record of records) {
    const { values } = readTags(record);
    const type = (values.get('k') ?? 'rsa').toLowerCase();
    const p = values.get('p');
    if (!p || algorithm.toLowerCase() !== `${type}-sha256`) continue;
    try {
      const key = keyOf(Buffer.from(p, 'base64'), type);
      if (type !== 'rsa' || isUsableRsa(key)) return key;
    } catch {
      // Not a key; another record may contain one.
    }
  }
  return null;
}

function isUsableRsa({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS && publicExponent < MAX_RSA_EXPONENT;
}

/** RSA keys in either published format; Ed25519 as the raw key. */
function keyOf(bytes: Buffer, type: string): KeyObject {
  if (type === 'ed25519') {
    const prefix = Buffer.from('302a300506032b6570032100', 'hex');
    return createPublicKey({ key: Buffer.concat([prefix, bytes]), format: 'der', type: 'spki' });
  }
  try {
    return createPublicKey({ key: bytes, format: 'der', type: 'spki' });
  } catch {
    return createPublicKey({ key: bytes, format: 'der', type: 'pkcs1' });
  }
}

interface TagList {
  /** Without white space. */
  readonly values: ReadonlyMap<string, string>;
  /** RFC 6376, 3.2: a list with a repeated tag is invalid. */
  readonly hasDuplicates: boolean;
  /** The offsets of each value, from behind its `=` to before the semicolon. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** A signature has about a dozen. */
const MAX_TAGS = 100;

/** DKIM tag lists (RFC 6376, 3.2), in signatures and key records. */
export function readTags(text: string): TagList {
  const values = new Map<string, string>();
  const places = new Map<string, { start: number; end: number }>();
  let hasDuplicates = false;
  let at = 0;
  for (let count = 0; at < text.length && count < MAX_TAGS; count += 1) {
    const semicolon = text.indexOf(';', at);
    const end = semicolon === -1 ? text.length : semicolon;
    const equals = text.slice(at, end).indexOf('=');
    if (equals !== -1) {
      const name = text.slice(at, at + equals).trim();
      const start = at + equals + 1;
      hasDuplicates ||= values.has(name);
      values.set(name, text.slice(start, end).replace(/\s+/g, ''));
      places.set(name, { start, end });
    }
    at = end + 1;
  }
  return { values, hasDuplicates, places };
}

type CanonicalForm = 'simple' | 'relaxed';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** Canonicalizing and hashing a piece takes 0.5 ms. */
const PIECE_BYTES = 64 * 1024;
const LINE_END = Buffer.from('\r\n');

/**
 * The hash of a body in both canonical forms (RFC 6376, 3.4.3 and 3.4.4), in time slices because a body may
 * have 25 MB. Each form is computed once per message, and only when a signature needs it.
 */
export class BodyHashes {
  readonly #body: Buffer;
  readonly #known = new Map<CanonicalForm, Promise<string>>();

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** SHA-256 in base64. */
  of(form: CanonicalForm): Promise<string> {
    const known = this.#known.get(form);
    if (known !== undefined) return known;
    const hash = form === 'relaxed' ? relaxedHash(this.#body) : simpleHash(this.#body);
    this.#known.set(form, hash);
    return hash;
  }
}

/** The body unchanged, with empty lines at its end reduced to one. */
async function simpleHash(body: Buffer): Promise<string> {
  const turns = new Turns();
  const end = await contentEnd(body, false, turns);
  const hash = createHash('sha256');
  for (let from = 0; from < end; from += PIECE_BYTES) {
    hash.update(body.subarray(from, Math.min(end, from + PIECE_BYTES)));
    if (turns.isOver) await turns.next();
  }
  return hash.update(LINE_END).digest('base64');
}

/** Reduces runs of blanks to one space and removes them at line ends; an empty body stays empty. */
async function relaxedHash(body: Buffer): Promise<string> {
  const turns = new Turns();
  const end = await contentEnd(body, true, turns);
  const hash = createHash('sha256');
  const out = Buffer.allocUnsafe(PIECE_BYTES + 1);
  let isAfterBlank = false;
  for (let from = 0; from < end; from += PIECE_BYTES) {
    const to = Math.min(end, from + PIECE_BYTES);
    let length = 0;
    for (let at = from; at < to; at += 1) {
      const octet = body[at] as number;
      if (octet === SPACE || octet === TAB) isAfterBlank = true;
      else {
        if (isAfterBlank && !(octet === CR && body[at + 1] === LF)) out[length++] = SPACE;
        isAfterBlank = false;
        out[length++] = octet;
      }
    }
    hash.update(out.subarray(0, length));
    if (turns.isOver) await turns.next();
  }
  if (end > 0) hash.update(LINE_END);
  return hash.digest('base64');
}

/** The end of the last line that is not empty; with `isRelaxed`, trailing white space does not count. */
async function contentEnd(body: Buffer, isRelaxed: boolean, turns: Turns): Promise<number> {
  let end = body.length;
  for (let steps = 1; ; steps += 1) {
    while (isRelaxed && end > 0 && (body[end - 1] === SPACE || body[end - 1] === TAB)) {
      end -= 1;
      if (end % PIECE_BYTES === 0 && turns.isOver) await turns.next();
    }
    if (end < 2 || body[end - 1] !== LF || body[end - 2] !== CR) return end;
    end -= 2;
    if (steps % PIECE_BYTES === 0 && turns.isOver) await turns.next();
  }
}
