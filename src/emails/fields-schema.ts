/** The content fields of an email, each with its own rule. Problems are reported together, by the field's path. */

import { Type } from 'typebox';
import { localeField } from '../http/fields.ts';
import { checked, mapOf, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { isBase64 } from '../protocols/message/base64-in-turns.ts';
import { isAttachableType } from '../protocols/message/file-content.ts';
import {
  checkContentId,
  checkContentType,
  checkHeaderName,
  checkHeaderValue,
  type HeaderCheck,
} from '../protocols/message/header-check.ts';
import { subjectProblem } from '../protocols/message/subject.ts';
import { findUnwritable, type HeaderText } from '../protocols/message/unsafe-text.ts';
import type { Problems } from '../runtime/problems.ts';

const MAX_SUBJECT_CHARS = 998;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_HEADERS = 50;
const MAX_ATTACHMENTS = 50;

export function headerText(maxLength: number, options: Record<string, unknown> = {}) {
  return checked(Type.Unsafe<HeaderText>({ type: 'string', maxLength, ...options }), (text, problems) => {
    const unsafe = findUnwritable(text);
    if (unsafe) problems.add('', `must not contain control characters (${unsafe.codePoint})`);
  });
}

export const subject = checked(
  Type.Unsafe<HeaderText>({
    type: 'string',
    minLength: 1,
    maxLength: MAX_SUBJECT_CHARS,
    description:
      'Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation.',
  }),
  (text, problems) => {
    const problem = subjectProblem(text);
    if (problem !== null) problems.add('', problem);
  },
);

/** For a send with a template. */
export const mailLocale = localeField(
  'Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself.',
);

/** Limits are in bytes as sent. For ordinary mail a check of the string length avoids counting the bytes. */
export const bodyText = checked(
  Type.String({ description: 'Body of the email, at most 2 MiB.' }),
  (text, problems) => {
    if (text.length * 3 > MAX_BODY_BYTES && Buffer.byteLength(text) > MAX_BODY_BYTES) {
      problems.add('', 'must not be larger than 2 MiB');
    }
  },
);

export const customHeaders = checked(
  mapOf(Type.Unsafe<HeaderText>({ type: 'string' }), {
    description: 'Additional email headers by name, at most 50.',
  }),
  (headers, problems) => {
    const entries = Object.entries(headers);
    if (entries.length > MAX_HEADERS) problems.add('', `must not have more than ${MAX_HEADERS} headers`);
    const seen = new Set<string>();
    for (const [name, value] of entries.slice(0, MAX_HEADERS)) {
      add(problems, name, checkHeaderName(name));
      if (typeof value === 'string') add(problems, name, checkHeaderValue(value));
      if (seen.has(name.toLowerCase())) problems.add(name, 'is given twice (names of headers ignore case)');
      seen.add(name.toLowerCase());
    }
  },
);

export const NOT_BASE64 = 'must be base64';
/** A longer file is checked while it is decoded, in turns. */
const FILE_CHECKED_AT_ONCE = 64 * 1024;

const attachmentFields = strictObject(
  {
    filename: Type.Optional(
      checked(
        headerText(255, {
          minLength: 1,
          description:
            'Name of the file, without a path. Required with `content`. With `url`, the default is the name that the server gives, or `attachment`.',
        }),
        (name, problems) => {
          if (/[/\\]/.test(name)) problems.add('', 'must be a name without a path');
        },
      ),
    ),
    content: Type.Optional(
      checked(
        Type.String({ description: 'Content of the file in base64. Required unless `url` is given.' }),
        (content, problems) => {
          const isWhole = content.length % 4 === 0;
          if (!isWhole || (content.length <= FILE_CHECKED_AT_ONCE && !isBase64(content)))
            problems.add('', NOT_BASE64);
        },
      ),
    ),
    url: Type.Optional(
      Type.String({
        description:
          'URL of the file, instead of `content`. Postrider fetches the file before it accepts the email.',
        examples: ['https://example.org/invoice.pdf'],
      }),
    ),
    content_type: Type.Optional(
      checked(
        Type.String({
          description:
            'MIME type of the file, such as `application/pdf`, or `message/rfc822` for an attached message.',
        }),
        (type, problems) => {
          add(problems, '', checkContentType(type));
          if (!isAttachableType(type))
            problems.add('', 'must not be a multipart type, nor a message type other than message/rfc822');
        },
      ),
    ),
    content_id: Type.Optional(
      checked(
        Type.String({
          description: 'Content id of an inline image. The html refers to it as `<img src="cid:…">`.',
        }),
        (id, problems) => {
          add(problems, '', checkContentId(id));
        },
      ),
    ),
  },
  { $id: 'Attachment' },
);

const attachment = checked(attachmentFields, ({ filename, content, url }, problems) => {
  if (content === undefined && url === undefined) problems.add('content', 'give content or url');
  if (content !== undefined && url !== undefined)
    problems.add('url', 'must not be given together with content');
  if (filename === undefined && url === undefined) problems.missing('filename');
});

export const attachments = Type.Array(attachment, { maxItems: MAX_ATTACHMENTS });

function add(problems: Problems, field: string, check: HeaderCheck): void {
  if (!check.ok) problems.add(field, check.message);
}

/** The fields that show a hold on an email: in the email, in its events, and in the answer to a send. */
export const emailHold = Type.Object(
  {
    id: Type.String({ examples: ['hold_0c3f9a51be2d47a6c9e1'] }),
    reason: Type.String(),
    placed_by: Type.String({
      description:
        'Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold.',
    }),
    placed_at: timestamp(),
  },
  {
    $id: 'EmailHold',
    description: 'The hold that keeps the email from being sent. `GET /holds/{id}` has the details.',
  },
);

/** Fields of an accepted email. They are present only if a hold keeps the email, so that other answers stay as they were. */
export const heldFields = {
  state: Type.Optional(
    stringEnum(['held'], {
      description: 'Present only if a hold keeps the email, or some of its recipients, from being sent.',
    }),
  ),
  hold: Type.Optional(emailHold),
};
