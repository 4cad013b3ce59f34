/**
 * Unpacks a report: gzip, zip or neither, recognised by the first bytes, because the labels are often wrong. Unpacks a bounded
 * amount of one file, once: an archive inside an archive stays closed. Decompression runs off the event loop.
 */
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';

export type Unpacked =
  | { readonly ok: true; readonly pieces: readonly Buffer[] }
  | { readonly ok: false; readonly why: string };

export const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
/** Reports compress to a twentieth; a far higher ratio indicates a decompression bomb. */
const MAX_RATIO = 200;
const SMALL_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;
}

export async function unpack(packed: Buffer): Promise<Unpacked> {
  const found = await (isGzip(packed) ? gunzip(packed) : isZip(packed) ? unzip(packed) : plain(packed));
  const [first] = found.ok ? found.pieces : [];
  if (first !== undefined && (isGzip(first) || isZip(first)))
    return failed('It is an archive in an archive.');
  return found;
}

function plain(bytes: Buffer): Unpacked {
  if (bytes.length > MAX_UNPACKED_BYTES) return failed(TOO_LARGE);
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    pieces.push(bytes.subarray(from, from + PIECE_BYTES));
  return { ok: true, pieces };
}

function gunzip(packed: Buffer): Promise<Unpacked> {
  return inflated(packed, createGunzip({ chunkSize: PIECE_BYTES }));
}

/** Piece by piece, on another thread. */
function inflated(packed: Buffer, engine: Gunzip | InflateRaw): Promise<Unpacked> {
  const most = Math.min(MAX_UNPACKED_BYTES, SMALL_BYTES + MAX_RATIO * packed.length);
  const pieces: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    engine.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= most) return;
      engine.destroy();
      resolve(failed(TOO_LARGE));
    });
    engine.on('end', () => resolve({ ok: true, pieces }));
    engine.on('error', () => resolve(failed('It cannot be unpacked.')));
    engine.end(packed);
  });
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_HEADER = 0x06054b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/**
 * The one file of a zip (PKWARE's APPNOTE, 4.3), according to its directory: the header before the file may lack its length. A
 * report is one file; an archive of several is refused.
 */
function unzip(bytes: Buffer): Unpacked | Promise<Unpacked> {
  const end = findEnd(bytes);
  if (end < 0) return failed(BROKEN_ZIP);
  if (bytes.readUInt16LE(end + 10) !== 1) return failed('The zip archive holds more than one file, or none.');
  const entry = bytes.readUInt32LE(end + 16);
  if (entry + CENTRAL_BYTES > end || bytes.readUInt32LE(entry) !== CENTRAL_HEADER) return failed(BROKEN_ZIP);
  if ((bytes.readUInt16LE(entry + 8) & ENCRYPTED) !== 0) return failed('The zip archive is encrypted.');
  const method = bytes.readUInt16LE(entry + 10);
  const packed = fileIn(bytes, bytes.readUInt32LE(entry + 42), bytes.readUInt32LE(entry + 20), entry);
  if (packed === null) return failed(BROKEN_ZIP);
  if (method === STORED) return plain(packed);
  if (method !== DEFLATED) return failed('The zip archive is packed in a way that nobody uses for reports.');
  return inflated(packed, createInflateRaw({ chunkSize: PIECE_BYTES }));
}

/** Finds the end record, which a comment may follow. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    if (bytes[at] === 0x50 && bytes.readUInt32LE(at) === END_HEADER) return at;
  }
  return -1;
}

function fileIn(bytes: Buffer, header: number, length: number, before: number): Buffer | null {
  if (header + LOCAL_BYTES > before || bytes.readUInt32LE(header) !== LOCAL_HEADER) return null;
  const start = header + LOCAL_BYTES + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  return start + length > before ? null : bytes.subarray(start, start + length);
}

const TOO_LARGE = 'Unpacked it is larger than any report.';
const BROKEN_ZIP = 'The zip archive is broken.';

function failed(why: string): Unpacked {
  return { ok: false, why };
}
