/** Checks DKIM key records (RFC 6376, section 3.6.1). Pure: TXT values in, a verdict out. */

export type DkimVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'wrong_type'; readonly type: string }
  | { readonly kind: 'restricted'; readonly tag: string }
  | { readonly kind: 'other_key'; readonly cutShort: boolean }
  | { readonly kind: 'unavailable'; readonly code: string };

type ParsedTags =
  | { readonly ok: true; readonly tags: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problem: string };

/** `publicKey` is SubjectPublicKeyInfo in DER. */
export function judgeDkim(texts: readonly string[], publicKey: Buffer): DkimVerdict {
  const [text] = texts;
  if (text === undefined) return { kind: 'missing' };
  if (texts.length > 1) return { kind: 'several', count: texts.length };
  const parsed = parseTags(text);
  return parsed.ok ? judgeTags(parsed.tags, publicKey) : { kind: 'malformed', problem: parsed.problem };
}

/** Parses `name=value; name=value` with optional spaces. */
export function parseTags(text: string): ParsedTags {
  const tags = new Map<string, string>();
  const parts = text.split(';');
  // One trailing semicolon is allowed.
  if (parts.length > 1 && parts.at(-1)?.trim() === '') parts.pop();
  for (const part of parts) {
    const match = TAG.exec(part);
    if (match === null) return { ok: false, problem: `${quote(part.trim())} is not of the form tag=value` };
    const name = match[1] as string;
    if (tags.has(name)) return { ok: false, problem: `the tag ${name}= is there twice` };
    tags.set(name, (match[2] as string).trim());
  }
  return { ok: true, tags };
}

const TAG = /^\s*([a-z][a-z0-9_]*)\s*=([^;]*)$/is;
const SHOWN = 40;

function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

function judgeTags(tags: ReadonlyMap<string, string>, publicKey: Buffer): DkimVerdict {
  const version = tags.get('v') ?? 'DKIM1';
  if (version !== 'DKIM1') return { kind: 'malformed', problem: `v=${version} should be v=DKIM1` };
  const key = tags.get('p');
  if (key === undefined) return { kind: 'malformed', problem: 'the tag p= with the key is missing' };
  const type = tags.get('k') ?? 'rsa';
  if (type !== 'rsa') return { kind: 'wrong_type', type };
  if (key === '') return { kind: 'revoked' };
  const restricting = restriction(tags);
  if (restricting !== null) return { kind: 'restricted', tag: restricting };
  return compareKey(key.replace(/\s+/g, ''), publicKey);
}

function restriction(tags: ReadonlyMap<string, string>): string | null {
  const hashes = tags.get('h');
  if (hashes !== undefined && !listed(hashes).includes('sha256')) return `h=${hashes}`;
  const services = tags.get('s');
  if (services === undefined || listed(services).some((one) => one === '*' || one === 'email')) return null;
  return `s=${services}`;
}

function listed(value: string): string[] {
  return value.split(':').map((one) => one.trim().toLowerCase());
}

function compareKey(base64: string, publicKey: Buffer): DkimVerdict {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    return { kind: 'malformed', problem: 'the key in p= has characters that do not belong there' };
  }
  const published = Buffer.from(base64, 'base64');
  if (published.equals(publicKey)) return { kind: 'pass' };
  return { kind: 'other_key', cutShort: isBeginningOf(published, publicKey) };
}

/** All RSA keys begin with the same bytes, and the last bytes of a truncated text may be incomplete. */
const SHARED_PREFIX_CHARS = 40;

function isBeginningOf(published: Buffer, whole: Buffer): boolean {
  if (published.length < SHARED_PREFIX_CHARS || published.length >= whole.length) return false;
  const sure = published.length - 2;
  return published.subarray(0, sure).equals(whole.subarray(0, sure));
}
