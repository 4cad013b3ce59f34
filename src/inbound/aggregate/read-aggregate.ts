/**
 * From a message to the one report that it carries. Which part has it, and how that is packed, is told by the first bytes:
 * types and file names are wrong too often. Pure and bounded, and it never throws.
 */
import type { DomainReport, ReportKind } from '../../domains/reports/report.ts';
import { bytesToText } from '../../kit/message/reading/fields.ts';
import { decodedBytes } from '../../kit/message/reading/part-text.ts';
import { type MessagePart, splitMessage } from '../../kit/message/reading/split-message.ts';
import { type ReadResult, readDmarcReport } from './dmarc-report.ts';
import { readTlsReport } from './tls-report.ts';
import { isGzip, isZip, unpack } from './unpack.ts';

/** Of a message; what is longer is cut, and then cannot be unpacked. */
export const MAX_REPORT_BYTES = 4 * 1024 * 1024;
/** A report has one file beside the words for people. */
const MAX_TRIES = 4;

export function readAggregate(raw: Buffer, kind: ReportKind): ReadResult<DomainReport> {
  const { parts } = splitMessage(raw, MAX_REPORT_BYTES);
  let problem = 'There is no report in it.';
  let tries = 0;
  for (const part of parts) {
    if (!mayBeReport(part, kind)) continue;
    tries += 1;
    if (tries > MAX_TRIES) break;
    const read = readPart(part, kind);
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

function readPart(part: MessagePart, kind: ReportKind): ReadResult<DomainReport> {
  const unpacked = unpack(decodedBytes(part, MAX_REPORT_BYTES));
  if (!unpacked.ok) return unpacked;
  const text = bytesToText(unpacked.bytes);
  return kind === 'dmarc' ? readDmarcReport(text) : readTlsReport(text);
}
