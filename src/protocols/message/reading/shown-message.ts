/** The displayed content of a message: html, text and files. Only these are decoded. */

import { atOnce, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { type ContentType, readDisposition } from './content-type.ts';
import { fileNameIn } from './file-name.ts';
import { decoding, decodingCharset } from './part-text.ts';
import {
  MAX_PARTS,
  MESSAGE_LIMITS,
  type MessagePart,
  type SplitMessage,
  splitMessage,
  splitting,
} from './split-message.ts';
import { sizingBase64, sizingQuotedPrintable } from './transfer-decoding.ts';

interface ShownMessage {
  readonly html: MessagePart | null;
  readonly text: MessagePart | null;
  readonly files: readonly ShownFile[];
  /** Signed or encrypted: any change of a part breaks it. */
  readonly isSealed: boolean;
}

export interface ShownFile {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId: string | null;
  readonly part: MessagePart;
}

const SEALS =
  /^(?:multipart\/(?:signed|encrypted)|application\/(?:pgp-(?:signature|encrypted)|(?:x-)?pkcs7-(?:signature|mime)))$/;

export function readShown(raw: Buffer): ShownMessage {
  return shownOf(splitMessage(raw, MESSAGE_LIMITS));
}

/** In slices, for untrusted mail. */
export function* showing(raw: Buffer): SlicedWork<ShownMessage> {
  return shownOf(yield* splitting(raw, MESSAGE_LIMITS));
}

export function shownOf({ content, parts }: SplitMessage): ShownMessage {
  const bodies = { html: null as MessagePart | null, text: null as MessagePart | null };
  const files: ShownFile[] = [];
  for (const part of parts) {
    const disposition = readDisposition(part.fields.get('content-disposition'));
    const kind = bodyKind(part, disposition);
    if (kind !== null && bodies[kind] === null) bodies[kind] = part;
    else files.push(fileOf(part, disposition, files.length));
  }
  const types = [content.type, ...parts.map((part) => part.content.type)];
  // Parts beyond the limit are unknown, so the message counts as sealed.
  const isSealed = parts.length >= MAX_PARTS || types.some((type) => SEALS.test(type));
  return { ...bodies, files, isSealed };
}

export function textOf(part: MessagePart): string {
  return atOnce(readingText(part));
}

export function* readingText(part: MessagePart): SlicedWork<string> {
  const bytes = yield* decoding(part, part.body.length);
  return yield* removingNul(yield* decodingCharset(bytes, part.content.parameters.get('charset') ?? ''));
}

/** Characters processed per slice. */
const SLICE_CHARS = 128 * 1024;

/** NUL is the only character that PostgreSQL and JSON refuse. */
export function* removingNul(text: string): SlicedWork<string> {
  yield;
  if (!text.includes('\0')) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    pieces.push(text.slice(at, at + SLICE_CHARS).replaceAll('\0', ''));
    yield;
  }
  return pieces.join('');
}

/** Computes the size without decoding. */
export function* sizing({ fields, body }: MessagePart): SlicedWork<number> {
  const encoding = (fields.get('content-transfer-encoding') ?? '').toLowerCase();
  if (encoding.startsWith('base64')) return yield* sizingBase64(body);
  return encoding.startsWith('quoted-printable') ? yield* sizingQuotedPrintable(body) : body.length;
}

/** Whether a part is displayed as html or text; null for a file. */
export function bodyKind({ content }: MessagePart, disposition: ContentType): 'html' | 'text' | null {
  if (disposition.type === 'attachment' || fileNameIn(disposition.parameters, 'filename') !== null)
    return null;
  if (content.type === 'text/html') return 'html';
  return content.type === 'text/plain' ? 'text' : null;
}

function fileOf(part: MessagePart, disposition: ContentType, index: number): ShownFile {
  const { fields, content } = part;
  const name = fileNameIn(disposition.parameters, 'filename') ?? fileNameIn(content.parameters, 'name');
  return {
    filename: name ?? `part-${index + 1}`,
    contentType: content.type,
    contentId: fields.get('content-id')?.replace(/^<|>$/g, '') ?? null,
    part,
  };
}
