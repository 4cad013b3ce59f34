/** A DKIM signer that shares no code with us: it signs whatever bytes it is given, well formed or not. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const keys = generateKeyPairSync('ed25519');
const published = keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64');
export const KEY_RECORD = `v=DKIM1; k=ed25519; p=${published}`;

export interface SigningOptions {
  readonly domain: string;
  /** The names that `h=` lists. */
  readonly names: readonly string[];
  readonly form: 'relaxed/relaxed' | 'simple/simple' | 'relaxed/simple' | 'simple/relaxed';
  /** Whether `l=` limits the signature to the body as it is now. */
  readonly hasLength?: boolean;
}

/** The message with a signature in front. Header lines end at CRLF, the header at the first empty line. */
export function signed(message: string, options: SigningOptions, key: KeyObject = keys.privateKey): string {
  const end = message.indexOf('\r\n\r\n');
  const header = end === -1 ? message : message.slice(0, end);
  const body = end === -1 ? '' : message.slice(end + 4);
  const [headerForm, bodyForm] = options.form.split('/');
  const content = bodyForm === 'relaxed' ? relaxedBody(body) : simpleBody(body);
  const hash = createHash('sha256').update(content, 'latin1').digest('base64');
  const length = options.hasLength ? ` l=${content.length};` : '';
  const own = `DKIM-Signature: v=1; a=ed25519-sha256; c=${options.form}; d=${options.domain}; s=test;${length} h=${options.names.join(':')}; bh=${hash}; b=`;
  const form = headerForm === 'relaxed' ? relaxedField : (field: string) => field;
  const fields = header.split(/\r\n(?![ \t])/);
  const input = [...chosen(fields, options.names), own].map(form).join('\r\n');
  const digest = createHash('sha256').update(input, 'latin1').digest();
  return `${own}${sign(null, digest, key).toString('base64')}\r\n${message}`;
}

function chosen(fields: readonly string[], names: readonly string[]): string[] {
  const left = [...fields];
  return names.flatMap((name) => {
    const at = left.findLastIndex(
      (field) => field.split(':')[0]?.trim().toLowerCase() === name.toLowerCase(),
    );
    return at === -1 ? [] : left.splice(at, 1);
  });
}

function relaxedField(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  return withOneEnd(lines.join('\r\n'), '');
}

function simpleBody(body: string): string {
  return withOneEnd(body, '\r\n');
}

function withOneEnd(body: string, ofNothing: string): string {
  const content = body.replace(/(?:\r\n)+$/, '');
  return content === '' ? ofNothing : `${content}\r\n`;
}
