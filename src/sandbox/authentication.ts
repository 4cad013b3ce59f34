/**
 * Checks a captured message as a receiver would: whether its DKIM signature is valid, and whether SPF of the
 * sender's domain allows our host. Records come from the sandbox's DNS, at the time of viewing.
 *
 * Canonical forms are those of our own signer. Two independent verifiers test the signer itself
 * (test/message); this module checks that a signature fits this message and the published key.
 */
import { createPublicKey, verify } from 'node:crypto';
import { adviseSpf } from '../domains/advice.ts';
import { evaluateSpf, type LookUpTxt } from '../domains/spf.ts';
import { halvesOf } from '../protocols/message/address.ts';
import { hashInTurns } from '../protocols/message/dkim.ts';
import { canonicalField } from '../protocols/message/dkim-canonical.ts';

export const AUTHENTICATION_RESULTS = ['pass', 'fail', 'none'] as const;
type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number];

export interface Authentication {
  readonly dkim: {
    readonly result: AuthenticationResult;
    readonly domain: string | null;
    readonly selector: string | null;
    readonly reason: string | null;
  };
  readonly spf: {
    readonly result: AuthenticationResult;
    readonly domain: string;
    readonly reason: string | null;
  };
}

export interface SandboxNames {
  readonly lookUp: LookUpTxt;
  /** The sending host, which the SPF record must include. */
  readonly host: string;
}

export async function checkAuthentication(
  raw: Buffer,
  from: string,
  names: SandboxNames,
): Promise<Authentication> {
  const domain = halvesOf(from).domain.toLowerCase();
  const [dkim, spf] = await Promise.all([checkDkim(raw, names.lookUp), checkSpf(domain, names)]);
  return { dkim, spf };
}

async function checkSpf(domain: string, { lookUp, host }: SandboxNames): Promise<Authentication['spf']> {
  const verdict = await evaluateSpf(lookUp, domain, host);
  if (verdict.kind === 'pass') return { result: 'pass', domain, reason: null };
  const { message } = adviseSpf(verdict, domain, host);
  return { result: verdict.kind === 'missing' ? 'none' : 'fail', domain, reason: message };
}

async function checkDkim(raw: Buffer, lookUp: LookUpTxt): Promise<Authentication['dkim']> {
  const { fields, body } = split(raw);
  const signature = fields.find((field) => nameOf(field) === 'dkim-signature');
  if (signature === undefined) {
    return { result: 'none', domain: null, selector: null, reason: 'The message is not signed.' };
  }
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1));
  const domain = tags.get('d') ?? null;
  const selector = tags.get('s') ?? null;
  const reason = await whyNot({ fields, body, signature, tags }, lookUp);
  return { result: reason === null ? 'pass' : 'fail', domain, selector, reason };
}

interface Signed {
  readonly fields: readonly string[];
  readonly body: Buffer;
  readonly signature: string;
  readonly tags: ReadonlyMap<string, string>;
}

/** Null when the signature is valid. */
async function whyNot({ fields, body, signature, tags }: Signed, lookUp: LookUpTxt): Promise<string | null> {
  if (tags.get('a') !== 'rsa-sha256' || tags.get('c') !== 'relaxed/relaxed') {
    return 'The signature is of a kind that is not looked at here.';
  }
  if ((await hashInTurns(body)) !== tags.get('bh')) return 'The body is not the one that was signed.';
  const key = await publishedKey(`${tags.get('s')}._domainkey.${tags.get('d')}`, lookUp);
  if (key === null) return 'No key is published under the name that the signature gives.';
  const signed = [...signedFields(fields, tags.get('h') ?? ''), signature.replace(/([;\s])b=[^;]*/, '$1b=')];
  const input = Buffer.from(signed.map(canonicalField).join('\r\n'));
  const good = verify('sha256', input, key, Buffer.from(tags.get('b') ?? '', 'base64'));
  return good ? null : 'The headers are not those that were signed, or the key is another.';
}

async function publishedKey(name: string, lookUp: LookUpTxt) {
  const answer = await lookUp(name.toLowerCase());
  const p = answer.kind === 'found' ? tagsOf(answer.records.join('')).get('p') : undefined;
  return p ? createPublicKey({ key: Buffer.from(p, 'base64'), format: 'der', type: 'spki' }) : null;
}

/** Each name takes the last unused field of that name; a missing field counts as empty. */
function signedFields(fields: readonly string[], names: string): string[] {
  const left = new Map<string, string[]>();
  for (const field of fields) {
    const same = left.get(nameOf(field));
    if (same === undefined) left.set(nameOf(field), [field]);
    else same.push(field);
  }
  return names.split(':').flatMap((name) => left.get(name.trim().toLowerCase())?.pop() ?? []);
}

function split(raw: Buffer): { fields: string[]; body: Buffer } {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('utf8', 0, end === -1 ? raw.length : end);
  return {
    fields: header.split(/\r\n(?![ \t])/),
    body: end === -1 ? Buffer.alloc(0) : raw.subarray(end + 4),
  };
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(':')).trim().toLowerCase();
}

function tagsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap((tag): [string, string][] => {
      const at = tag.indexOf('=');
      return at === -1 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, '')]];
    }),
  );
}
