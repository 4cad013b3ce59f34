/**
 * The evidence of a message that a server accepted, packed, because there is one for every delivered mail. It holds the
 * SHA-256, the size, and of each DKIM signature the domain, the selector and the signature itself. The message contains
 * everything else.
 */

export interface MessageEvidence {
  /** Of the bytes as they were transmitted, in hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly dkim: readonly DkimEvidence[];
}

export interface DkimEvidence {
  readonly domain: string;
  readonly selector: string;
  /** Base64. */
  readonly signature: string;
}

const HASH_BYTES = 32;
const SIZE_BYTES = 4;

export function packEvidence({ sha256, size, dkim }: MessageEvidence): Buffer {
  const length = Buffer.alloc(SIZE_BYTES);
  length.writeUInt32BE(size);
  const signatures = dkim.flatMap(({ domain, selector, signature }) => [
    ...withLength(Buffer.from(domain)),
    ...withLength(Buffer.from(selector)),
    ...withLength(Buffer.from(signature, 'base64')),
  ]);
  return Buffer.concat([Buffer.from(sha256, 'hex'), length, ...signatures]);
}

function withLength(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return [length, bytes];
}

export function unpackEvidence(packed: Buffer): MessageEvidence {
  const dkim: DkimEvidence[] = [];
  let at = HASH_BYTES + SIZE_BYTES;
  const next = (): Buffer => {
    const start = at + 2;
    at = start + packed.readUInt16BE(at);
    return packed.subarray(start, at);
  };
  while (at < packed.length) {
    const [domain, selector] = [next().toString(), next().toString()];
    dkim.push({ domain, selector, signature: next().toString('base64') });
  }
  return { sha256: packed.toString('hex', 0, HASH_BYTES), size: packed.readUInt32BE(HASH_BYTES), dkim };
}
