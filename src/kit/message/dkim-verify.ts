/**
 * Whether the DKIM signatures of a message are good (RFC 6376, 8463): rsa-sha256 and ed25519-sha256, both canonical forms. What the
 * key's owner publishes is asked through `lookUp`. What rsa-sha1 signs counts for nothing (RFC 8301).
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Answer } from '../dns/answer.ts';
import { halvesOf } from './address.ts';
import { canonicalBody, canonicalField } from './dkim-canonical.ts';

export type LookUpKey = (name: string) => Promise<Answer<string>>;

export interface VerifiedSignature {
  readonly domain: string;
  readonly selector: string;
  readonly result: 'pass' | 'fail' | 'permerror' | 'temperror';
  /** Why it is not good. */
  readonly reason: string | null;
}

/** Of the first so many: each may ask DNS and reads the whole body. */
const MAX_SIGNATURES = 5;
const MIN_RSA_BITS = 1024;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i;
const ALGORITHMS = new Set(['rsa-sha256', 'ed25519-sha256']);

export async function verifyDkim(
  raw: Buffer,
  lookUp: LookUpKey,
  nowMs: number,
): Promise<readonly VerifiedSignature[]> {
  const { fields, body } = parted(raw);
  const signed = fields.filter((field) => fieldName(field) === 'dkim-signature').slice(0, MAX_SIGNATURES);
  const found: VerifiedSignature[] = [];
  for (const signature of signed) {
    const tags = signatureTags(signature.slice(signature.indexOf(':') + 1));
    const domain = (tags.get('d') ?? '').toLowerCase();
    const selector = (tags.get('s') ?? '').toLowerCase();
    const outcome = await judge({ fields, body, signature, tags, domain, selector }, lookUp, nowMs);
    found.push({ domain: domain.slice(0, 253), selector: selector.slice(0, 253), ...outcome });
  }
  return found;
}

interface Signed {
  readonly fields: readonly string[];
  readonly body: Buffer;
  readonly signature: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly domain: string;
  readonly selector: string;
}

type Outcome = Pick<VerifiedSignature, 'result' | 'reason'>;

async function judge(signed: Signed, lookUp: LookUpKey, nowMs: number): Promise<Outcome> {
  const { tags, domain, selector } = signed;
  const problem = malformed(signed, nowMs);
  if (problem !== null) return failed(problem);
  if (!isOfDomain(tags.get('i'), domain))
    return { result: 'permerror', reason: 'The signature is for somebody of another domain (i=, d=).' };
  if (bodyHash(signed) !== tags.get('bh')) return failed('The body is not the one that was signed.');
  const answer = await lookUp(`${selector}._domainkey.${domain}`);
  if (answer.kind === 'unavailable') return { result: 'temperror', reason: 'DNS did not say the key.' };
  const key = answer.kind === 'found' ? publishedKeyOf(answer.records, tags.get('a') as string) : null;
  if (key === null) return failed('No usable key is published under the name that the signature gives.');
  return isGood(signed, key)
    ? { result: 'pass', reason: null }
    : failed('The headers are not those that were signed, or the key is another.');
}

function isGood(signed: Signed, key: KeyObject): boolean {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = Buffer.from(signed.tags.get('b') ?? '', 'base64');
  try {
    return verify(algorithm, inputOf(signed, key), key, signature);
  } catch {
    // Of another length than the key's signatures have.
    return false;
  }
}

function malformed({ tags, domain, selector }: Signed, nowMs: number): string | null {
  if (tags.get('v') !== '1' || !NAME.test(domain) || !NAME.test(selector))
    return 'The signature is not well formed.';
  if (!ALGORITHMS.has((tags.get('a') ?? '').toLowerCase()))
    return 'The signature is of a kind that counts for nothing.';
  const names = signedNames(tags);
  if (!names.includes('from')) return 'The signature does not cover From.';
  const expires = Number(tags.get('x') ?? Number.POSITIVE_INFINITY);
  if (!(expires * 1000 > nowMs)) return 'The signature has expired.';
  // What is appended behind the signed part of the body is shown to readers all the same.
  if (tags.has('l')) return 'The signature covers only a part of the body.';
  return null;
}

/** RFC 6376, 3.5: whom a signature is for is at the domain that signs, or below it; where it does not say, anybody there. */
function isOfDomain(identity: string | undefined, domain: string): boolean {
  if (identity === undefined) return true;
  const named = halvesOf(identity).domain.toLowerCase();
  return identity.includes('@') && (named === domain || named.endsWith(`.${domain}`));
}

function failed(reason: string): Outcome {
  return { result: 'fail', reason };
}

function bodyHash({ body, tags }: Signed): string {
  const isRelaxed = formsOf(tags).body === 'relaxed';
  const canonical = isRelaxed ? canonicalBody(body) : simpleBody(body);
  return createHash('sha256').update(canonical).digest('base64');
}

/** RFC 6376, 3.4.3: as it is, but empty lines at its end are one. */
function simpleBody(body: Buffer): Buffer {
  let end = body.length;
  while (end >= 2 && body[end - 1] === 0x0a && body[end - 2] === 0x0d) end -= 2;
  return Buffer.concat([body.subarray(0, end), Buffer.from('\r\n')]);
}

function formsOf(tags: ReadonlyMap<string, string>): { header: string; body: string } {
  const [header = 'simple', body = 'simple'] = (tags.get('c') ?? 'simple/simple').toLowerCase().split('/');
  return { header, body };
}

function inputOf({ fields, signature, tags }: Signed, key: KeyObject): Buffer {
  const form = formsOf(tags).header === 'relaxed' ? canonicalField : (field: string) => field;
  const own = signature.replace(/([;:\s]b[ \t\r\n]*=)[^;]*/, '$1');
  const text = [...chosenFields(fields, signedNames(tags)), own].map(form).join('\r\n');
  const input = Buffer.from(text, 'latin1');
  return key.asymmetricKeyType === 'ed25519' ? createHash('sha256').update(input).digest() : input;
}

function signedNames(tags: ReadonlyMap<string, string>): string[] {
  return (tags.get('h') ?? '').split(':').map((name) => name.trim().toLowerCase());
}

/** Each name takes the last field of that name that is not taken yet; one that is not there counts as nothing. */
function chosenFields(fields: readonly string[], names: readonly string[]): string[] {
  const left = new Map<string, string[]>();
  for (const field of fields) {
    const name = fieldName(field);
    const same = left.get(name);
    if (same === undefined) left.set(name, [field]);
    else same.push(field);
  }
  return names.flatMap((name) => left.get(name)?.pop() ?? []);
}

function publishedKeyOf(records: readonly string[], algorithm: string): KeyObject | null {
  for (const record of records) {
    const tags = signatureTags(record);
    const type = (tags.get('k') ?? 'rsa').toLowerCase();
    const p = tags.get('p');
    if (!p || !algorithm.toLowerCase().startsWith(type)) continue;
    try {
      const key = keyOf(Buffer.from(p, 'base64'), type);
      if (type !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS) return key;
    } catch {
      // Not a key; another record may hold one.
    }
  }
  return null;
}

/** Of RSA in either of the forms that are published; of Ed25519 the bare key. */
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

/** Byte for byte, one character each: what is signed are bytes. */
function parted(raw: Buffer): { fields: string[]; body: Buffer } {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, Math.min(end === -1 ? raw.length : end, MAX_SIGNED_HEADER));
  return {
    fields: header.split(/\r\n(?![ \t])/),
    body: end === -1 ? Buffer.alloc(0) : raw.subarray(end + 4),
  };
}

const MAX_SIGNED_HEADER = 512 * 1024;

function fieldName(field: string): string {
  return field
    .slice(0, Math.max(0, field.indexOf(':')))
    .trim()
    .toLowerCase();
}

function signatureTags(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap((tag): [string, string][] => {
      const at = tag.indexOf('=');
      return at === -1 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, '')]];
    }),
  );
}
