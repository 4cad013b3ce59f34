/**
 * Extracts the one report from a message. The first bytes of a part show whether it is the report, and how it is packed: types
 * and file names are wrong too often. Pure, bounded, in turns, and it never throws.
 */

import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import type { DomainReport, ReportKind } from '../../domains/reports/report.ts';
import { decodedBytes, decoding } from '../../protocols/message/reading/part-text.ts';
import {
  MESSAGE_LIMITS,
  type MessagePart,
  splitting,
} from '../../protocols/message/reading/split-message.ts';
import { inTurns, type SlicedWork } from '../../runtime/sliced-work.ts';
import { type ReadResult, readingDmarcReport } from './dmarc-report.ts';
import { readTlsReport } from './tls-report.ts';

/** The size limit of a message. A longer one is cut, and then cannot be unpacked. */
export const MAX_REPORT_BYTES = 4 * 1024 * 1024;
/** A report has one file beside the text for people. */
const MAX_TRIES = 4;
const LIMITS = { ...MESSAGE_LIMITS, bytes: MAX_REPORT_BYTES };

export async function readAggregate(raw: Buffer, kind: ReportKind): Promise<ReadResult<DomainReport>> {
  const { parts } = await inTurns(splitting(raw, LIMITS));
  let problem = 'There is no report in it.';
  let tries = 0;
  for (const part of parts) {
    if (!mayBeReport(part, kind)) continue;
    tries += 1;
    if (tries > MAX_TRIES) break;
    const read = await readPart(part, kind);
    if (read.ok) return read;
    problem = read.why;
  }
  return { ok: false, why: problem };
}

const BEGINNING_BYTES = 64;

function mayBeReport(part: MessagePart, kind: ReportKind): boolean {
  const beginning = decodedBytes(part, BEGINNING_BYTES);
  if (isGzip(beginning) || isZip(beginning)) return true;
  if (part.content.type === 'text/html') return false;
  const text = beginning
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return text.startsWith(kind === 'dmarc' ? '<' : '{');
}

async function readPart(part: MessagePart, kind: ReportKind): Promise<ReadResult<DomainReport>> {
  const unpacked = await unpack(await inTurns(decoding(part, MAX_REPORT_BYTES)));
  if (!unpacked.ok) return unpacked;
  const text = await inTurns(decodingPieces(unpacked.pieces));
  return kind === 'dmarc' ? inTurns(readingDmarcReport(text)) : readTlsReport(text);
}

/** Decodes valid UTF-8 as such, and anything else byte by byte. */
function* decodingPieces(pieces: readonly Buffer[]): SlicedWork<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const texts: string[] = [];
  try {
    for (const piece of pieces) {
      texts.push(decoder.decode(piece, { stream: true }));
      yield;
    }
    texts.push(decoder.decode());
    return texts;
  } catch {
    return pieces.map((piece) => piece.toString('latin1'));
  }
}

type Unpacked =
  | { readonly ok: true; readonly pieces: readonly Buffer[] }
  | { readonly ok: false; readonly why: string };

/**
 * Unpacks a report: gzip, zip or neither, recognised by the first bytes, because the labels are often wrong. Unpacks a bounded
 * amount of one file, once: an archive inside an archive stays closed. Decompression runs off the event loop.
 */
export const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
/** Reports compress to a twentieth; a far higher ratio indicates a decompression bomb. */
const MAX_RATIO = 200;
const SMALL_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;
}

async function unpack(packed: Buffer): Promise<Unpacked> {
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
