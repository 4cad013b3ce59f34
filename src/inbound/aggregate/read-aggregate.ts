/**
 * Extracts the one report from a message. The first bytes of a part show whether it is the report, and how it is packed: types
 * and file names are wrong too often. Pure, bounded, in turns, and it never throws.
 */
import type { DomainReport, ReportKind } from '../../domains/reports/report.ts';
import { decodedBytes, decoding } from '../../protocols/message/reading/part-text.ts';
import { type MessagePart, splitting } from '../../protocols/message/reading/split-message.ts';
import { inTurns, type SlicedWork } from '../../runtime/sliced-work.ts';
import { type ReadResult, readingDmarcReport } from './dmarc-report.ts';
import { readTlsReport } from './tls-report.ts';
import { isGzip, isZip, unpack } from './unpack.ts';

/** The size limit of a message. A longer one is cut, and then cannot be unpacked. */
export const MAX_REPORT_BYTES = 4 * 1024 * 1024;
/** A report has one file beside the text for people. */
const MAX_TRIES = 4;

export async function readAggregate(raw: Buffer, kind: ReportKind): Promise<ReadResult<DomainReport>> {
  const { parts } = await inTurns(splitting(raw, MAX_REPORT_BYTES));
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
