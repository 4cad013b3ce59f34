/** The content of an email that was submitted as a whole message, in the form of an email's record. */
import { checkHeaderName } from '../protocols/message/header-check.ts';
import { fieldValue, type HeaderField, readHeaderBlock } from '../protocols/message/reading/header-block.ts';
import { decoding } from '../protocols/message/reading/part-text.ts';
import { readingText, showing, sizing } from '../protocols/message/reading/shown-message.ts';
import { isPrivateField } from '../protocols/message/server-fields.ts';
import type { SlicedWork } from '../runtime/sliced-work.ts';
import type { FileRow } from './store-read.ts';
import type { EmailContent } from './view.ts';

type SubmittedContent = Omit<EmailContent, 'subject' | 'template_data' | 'has_raw'>;

export function* readingSubmitted(mime: Buffer): SlicedWork<SubmittedContent> {
  const { html, text, files } = yield* showing(mime);
  const head = readHeaderBlock(mime);
  const attachments: SubmittedContent['attachments'] = [];
  for (const { filename, contentType: content_type, contentId: content_id, part } of files)
    attachments.push({ filename, content_type, content_id, size: yield* sizing(part) });
  return {
    html: html && (yield* readingText(html)),
    text: text && (yield* readingText(text)),
    headers: head.ok ? customHeaders(head.fields) : {},
    attachments,
  };
}

/** One file with its content; undefined if the message has fewer. */
export function* readingSubmittedFile(mime: Buffer, number: number): SlicedWork<FileRow | undefined> {
  const file = (yield* showing(mime)).files[number];
  if (file === undefined) return undefined;
  const { filename, contentType: content_type, contentId: content_id, part } = file;
  return { filename, content_type, content_id, content: yield* decoding(part, part.body.length) };
}

/** The header fields that the API would also have accepted as custom headers. */
function customHeaders(fields: readonly HeaderField[]): Record<string, string> {
  const custom = fields.filter(({ name }) => checkHeaderName(name).ok && !isPrivateField(name));
  return Object.fromEntries(
    custom.map((field) => [field.text.slice(0, field.name.length), fieldValue(field)]),
  );
}
