/** The content of an email that was submitted as a whole message, as its record shows it. */
import { checkHeaderName } from '../kit/message/header-check.ts';
import { isPrivateField } from '../kit/message/private-fields.ts';
import { fieldValue, type HeaderField, readHeaderBlock } from '../kit/message/reading/header-block.ts';
import { bytesOf, readShown, sizeOf, textOf } from '../kit/message/reading/shown-message.ts';
import type { FileRow } from './store-read.ts';
import type { EmailContent } from './view.ts';

export function submittedContent(mime: Buffer): Omit<EmailContent, 'subject' | 'template_data' | 'has_raw'> {
  const { html, text, files } = readShown(mime);
  const head = readHeaderBlock(mime);
  return {
    html: html && textOf(html),
    text: text && textOf(text),
    headers: head.ok ? customHeaders(head.fields) : {},
    attachments: files.map(({ filename, contentType, contentId, part }) => ({
      filename,
      content_type: contentType,
      content_id: contentId,
      size: sizeOf(part),
    })),
  };
}

/** One of the files, with what is in it; undefined where there are fewer. */
export function submittedFile(mime: Buffer, number: number): FileRow | undefined {
  const file = readShown(mime).files[number];
  if (file === undefined) return undefined;
  const { filename, contentType: content_type, contentId: content_id, part } = file;
  return { filename, content_type, content_id, content: bytesOf(part) };
}

/** Those that could have been given to the API as well. */
function customHeaders(fields: readonly HeaderField[]): Record<string, string> {
  const custom = fields.filter(({ name }) => checkHeaderName(name).ok && !isPrivateField(name));
  return Object.fromEntries(
    custom.map((field) => [field.text.slice(0, field.name.length), fieldValue(field)]),
  );
}
