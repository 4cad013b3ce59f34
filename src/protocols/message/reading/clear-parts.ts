/**
 * Checks whether every program displays the same parts as text and html, and decodes them alike. Pure, and
 * limited to the displayed parts.
 */
import { readDisposition } from './content-type.ts';
import { fileNameIn } from './file-name.ts';
import type { MessagePart } from './split-message.ts';

const SHOWN = ['text/plain', 'text/html'] as const;
const SHOWABLE = /^(?:text\/(?:plain|html)$|message\/)/;
/** Limit for encoded text; nothing beyond it is displayed. */
const MAX_LOOKED_BYTES = 2 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/\r\n\t ]*(?:=[\r\n\t ]*){0,2}$/;

/** The ambiguity as a sentence; null without one. */
export function shownProblem(all: readonly MessagePart[]): string | null {
  const parts = all.filter((part) => SHOWABLE.test(part.content.type) && !isAttached(part));
  if (parts[0]?.content.type.startsWith('message/'))
    return 'Some programs show a message that it includes as its text.';
  for (const type of SHOWN) {
    const [shown, ...others] = parts.filter((part) => part.content.type === type);
    if (shown === undefined) continue;
    if (hasFileName(shown)) return 'Some programs show a part as text, others as a file.';
    if (!isPlainlyEncoded(shown)) return 'A part is not in the transfer encoding that it names.';
    if (others.length > 0 && isBlank(shown))
      return 'Its first text is blank, so that some programs show another.';
  }
  return null;
}

function isAttached({ fields }: MessagePart): boolean {
  return readDisposition(fields.get('content-disposition')).type === 'attachment';
}

function hasFileName({ fields }: MessagePart): boolean {
  return fileNameIn(readDisposition(fields.get('content-disposition')).parameters, 'filename') !== null;
}

/** Longer parts count as not blank. */
function isBlank({ body }: MessagePart): boolean {
  return body.length <= 1_000 && body.toString('latin1').trim() === '';
}

function isPlainlyEncoded({ fields, body }: MessagePart): boolean {
  if (fields.get('content-transfer-encoding')?.toLowerCase() !== 'base64') return true;
  const text = body.toString('latin1', 0, MAX_LOOKED_BYTES);
  const isWhole = body.length <= MAX_LOOKED_BYTES;
  return BASE64.test(text) && (!isWhole || text.replace(/\s+/g, '').length % 4 === 0);
}
