/**
 * DKIM signatures (RFC 6376): rsa-sha256, relaxed/relaxed, over the whole body and all relevant fields.
 *
 * There is no `l=`, which would let anyone append to a signed message, and no `x=`, after which delayed mail
 * would fail. The same message, signer and second always give the same bytes (RSA with PKCS #1 v1.5 padding
 * is deterministic), so a retry sends exactly the bytes of the first attempt.
 */
import { hash, type KeyObject, sign } from 'node:crypto';
import { sha256InTurns } from '../../runtime/large-hash.ts';
import { inTurns } from '../../runtime/sliced-work.ts';
import type { ComposedMessage } from './compose.ts';
import { canonicalBody, canonicalField, canonicalizingBody } from './dkim-canonical.ts';
import { MAX_LINE } from './header-text.ts';

export type DkimSigner = {
  /** The `d=` domain as A-labels. DMARC alignment needs the domain of the From address. */
  readonly domain: string;
  readonly selector: string;
  /** A private RSA key, parsed once because parsing costs as much as a signature. */
  readonly key: KeyObject;
};

/** The RSA operation over the SHA-256 of `input` as UTF-8. */
export type RsaSign = (input: string, key: KeyObject) => Promise<Buffer>;

/**
 * Memory in which bodies are canonicalized one at a time: a buffer per body would take the garbage collector
 * longer than its use. A larger body is canonicalized in time slices, in its own memory.
 */
const WORKSPACE = Buffer.allocUnsafeSlow(128 * 1024);
const FOLD = '\r\n ';
const TAG_SAFE_NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/**
 * Adds a DKIM-Signature of each signer, in order. All cover the same fields; none covers another signature.
 */
export async function signMessage(
  message: ComposedMessage,
  signers: readonly DkimSigner[],
  signedAtSeconds: number,
  rsaSign: RsaSign = signOnPool,
): Promise<ComposedMessage> {
  const { names, fields } = signedFields(message.headers);
  const isLarge = message.body.length + 2 > WORKSPACE.length;
  const bodyHash = isLarge ? await hashInTurns(message.body) : hashHere(message.body);
  const canonical = fields.map(canonicalField);
  const signatures = signers.map(async (signer) => {
    const unsigned = unsignedLines(signer, signedAtSeconds, names, bodyHash);
    const input = [...canonical, `dkim-signature:${unsigned.join(' ')}`].join('\r\n');
    return `DKIM-Signature: ${unsigned.join(FOLD)}${foldedBase64(await rsaSign(input, signer.key))}`;
  });
  return { headers: [...(await Promise.all(signatures)), ...message.headers], body: message.body };
}

/** On libuv's thread pool, because an operation takes 0.5 ms to several ms. */
export function signOnPool(input: string, key: KeyObject): Promise<Buffer> {
  const bytes = Buffer.from(input, 'utf8');
  return new Promise((resolve, reject) => {
    sign('sha256', bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

function hashHere(body: Buffer): string {
  return hash('sha256', canonicalBody(body, WORKSPACE), 'base64');
}

/** The `bh=` value of a body of any size. */
export async function hashInTurns(body: Buffer): Promise<string> {
  return sha256InTurns(await inTurns(canonicalizingBody(body)), 'base64');
}

/** The lines of the field with an empty `b=` at its end, which is the signed form. */
function unsignedLines(
  signer: DkimSigner,
  signedAtSeconds: number,
  names: readonly string[],
  bodyHash: string,
): string[] {
  if (!TAG_SAFE_NAME.test(signer.domain) || !TAG_SAFE_NAME.test(signer.selector)) {
    throw new Error('A domain or selector that cannot stand in a signature reached the signer');
  }
  if (!Number.isSafeInteger(signedAtSeconds) || signedAtSeconds < 0) {
    throw new Error('A moment that is not a whole second reached the signer');
  }
  const lines = ['v=1; a=rsa-sha256; c=relaxed/relaxed;', `d=${signer.domain};`];
  lines.push(`s=${signer.selector}; t=${signedAtSeconds};`);
  pushNames(lines, names);
  lines.push(`bh=${bodyHash};`, 'b=');
  return lines;
}

/** The `h=` tag, folded after colons, where white space is allowed. */
function pushNames(lines: string[], names: readonly string[]): void {
  let line = 'h=';
  for (const name of names) {
    // A space before the line and a colon or semicolon after the name.
    if (line !== 'h=' && line.length + name.length + 2 > MAX_LINE) {
      lines.push(line);
      line = '';
    }
    line += `${name}:`;
  }
  lines.push(`${line.slice(0, -1)};`);
}

function foldedBase64(signature: Buffer): string {
  const text = signature.toString('base64');
  const room = MAX_LINE - ' b='.length;
  const lines: string[] = [];
  for (let i = 0; i < text.length; i += room) lines.push(text.slice(i, i + room));
  return lines.join(FOLD);
}

/** Closed even if missing: fields that readers see, act on or reply to. */
const CLOSED = [
  'From',
  'Subject',
  'To',
  'Date',
  'Message-ID',
  'Reply-To',
  'Cc',
  'MIME-Version',
  'Content-Type',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
];
/** Closed only if present. If missing, relays are known to add them without harm. */
const CLOSED_IF_PRESENT = new Set(['content-transfer-encoding', 'feedback-id']);
/**
 * Fields that transports and receivers add, move or remove; and our own reference, which differs for each
 * recipient and has its own signature: without it the recipients of an email share one RSA operation.
 */
const NEVER =
  /^(?:return-path|received|comments|keywords|bcc|dkim-signature|authentication-results|arc-.*|x-postrider-ref)$/;
const CLOSED_PLACE = new Map(CLOSED.map((name, place) => [name.toLowerCase(), place]));

type SignedFields = {
  /** The `h=` list. */
  readonly names: readonly string[];
  /** The fields in signing order: by name, and of one name the last field first. */
  readonly fields: readonly string[];
};

/**
 * The fields that a signature covers (RFC 6376, section 5.4). Listing a name once more than it occurs closes
 * that field: adding another one in transit, such as a second From, breaks the signature.
 */
export function signedFields(headers: readonly string[]): SignedFields {
  const closed: (string[] | undefined)[] = [];
  const others = new Map<string, string[]>();
  for (const field of headers) {
    const lower = nameOf(field).toLowerCase();
    const place = CLOSED_PLACE.get(lower);
    if (place !== undefined) closed[place] = withLastFirst(closed[place], field);
    else if (!NEVER.test(lower)) others.set(lower, withLastFirst(others.get(lower), field));
  }
  const names: string[] = [];
  const fields: string[] = [];
  for (let place = 0; place < CLOSED.length; place += 1) {
    const name = CLOSED[place] as string;
    list(name, closed[place] ?? [], names, fields);
    names.push(name);
  }
  for (const [lower, occurrences] of others) {
    const name = nameOf(occurrences[0] as string);
    list(name, occurrences, names, fields);
    if (CLOSED_IF_PRESENT.has(lower)) names.push(name);
  }
  return { names, fields };
}

function withLastFirst(occurrences: string[] | undefined, field: string): string[] {
  return occurrences === undefined ? [field] : [field, ...occurrences];
}

function list(name: string, occurrences: readonly string[], names: string[], fields: string[]): void {
  for (const field of occurrences) {
    names.push(name);
    fields.push(field);
  }
}

function nameOf(field: string): string {
  const colon = field.indexOf(':');
  if (colon < 1) throw new Error('A header field without a name reached the signer');
  return field.slice(0, colon).trimEnd();
}
