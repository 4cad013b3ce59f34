/**
 * The MIME tree of one message: which parts there are, how they nest, and their bytes.
 *
 *   mixed ── alternative ── text
 *     │           └──────── related ── html
 *     │                        └────── inline images
 *     └───── attachments
 *
 * Levels with one child are left out. Boundaries come from the email's id, so a retry is the same bytes.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { encodingName, planFile } from './file-content.ts';
import { checkContentId, checkContentType } from './header-check.ts';
import { fold, parameterWords } from './header-text.ts';
import { type PlannedContent, planText, writeContent } from './transfer-encoding.ts';

export type Attachment = {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
  /** The id of an inline image (`<img src="cid:…">`); null for an ordinary attachment. */
  readonly contentId: string | null;
};

type MimeContent = {
  readonly id: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
};

type Entity = { readonly fields: readonly string[] } & (
  | { readonly content: PlannedContent }
  | { readonly boundary: string; readonly children: readonly Entity[] }
);

/** `=_` cannot occur in quoted-printable or base64; 7-bit texts are searched for it. */
const BOUNDARY_START = '=_';
const BOUNDARY_LINE_START = `--${BOUNDARY_START}`;
const EMPTY = Buffer.alloc(0);

export function* mimeTree(message: MimeContent): SlicedWork<Entity> {
  const { id, html, text, attachments } = message;
  const isInline = (part: Attachment) => html !== null && part.contentId !== null;
  const bodies: Entity[] = [];
  if (text !== null) bodies.push(yield* textEntity('text/plain', text));
  if (html !== null) {
    const related = [yield* textEntity('text/html', html)];
    for (const part of attachments) if (isInline(part)) related.push(yield* fileEntity(part, 'inline', id));
    bodies.push(nest('related; type="text/html"', 'r', id, related));
  }
  if (bodies.length === 0) bodies.push(yield* textEntity('text/plain', ''));
  const mixed = [nest('alternative', 'a', id, bodies)];
  for (const part of attachments) if (!isInline(part)) mixed.push(yield* fileEntity(part, 'attachment', id));
  return nest('mixed', 'm', id, mixed);
}

/** The bytes below the entity's own fields; they end with CRLF unless they are empty. */
export function* entityBody(entity: Entity): SlicedWork<Buffer> {
  const out = Buffer.allocUnsafe(maxLength(entity) + 2);
  let end = yield* writeEntity(entity, out, 0);
  if (end > 0 && out[end - 1] !== 0x0a) end += out.write('\r\n', end, 'latin1');
  return end === 0 ? EMPTY : out.subarray(0, end);
}

function* textEntity(type: string, text: string): SlicedWork<Entity> {
  const content = yield* planText(text, BOUNDARY_LINE_START);
  return { fields: [`Content-Type: ${type}; charset=utf-8`, encodingField(content)], content };
}

function* fileEntity(part: Attachment, disposition: 'inline' | 'attachment', id: string): SlicedWork<Entity> {
  if (/[\r\n\0]/.test(part.filename))
    throw new Error('A file name with a line end or NUL reached the composer');
  if (!checkContentType(part.contentType).ok)
    throw new Error('An unchecked content type reached the composer');
  // An attached message may be one that we sent: only this message's own boundary can conflict.
  const { content, contentType } = yield* planFile(part, id);
  const fields = [
    parameterField('Content-Type', contentType, 'name', part.filename),
    encodingField(content),
    parameterField('Content-Disposition', disposition, 'filename', part.filename),
  ];
  if (part.contentId !== null) {
    if (!checkContentId(part.contentId).ok) throw new Error('An unchecked content id reached the composer');
    fields.push(`Content-ID: <${part.contentId}>`);
  }
  return { fields, content };
}

function parameterField(field: string, value: string, name: string, parameter: string): string {
  const words = [value, ...parameterWords(name, parameter)];
  return fold(
    `${field}:`,
    words.map((word, i) => (i < words.length - 1 ? `${word};` : word)),
  );
}

function encodingField(content: PlannedContent): string {
  return `Content-Transfer-Encoding: ${encodingName(content.encoding)}`;
}

function nest(subtype: string, level: string, id: string, children: readonly Entity[]): Entity {
  const [only] = children;
  if (children.length === 1 && only !== undefined) return only;
  const boundary = `${BOUNDARY_START}${level}_${id}`;
  return { fields: [`Content-Type: multipart/${subtype};\r\n boundary="${boundary}"`], boundary, children };
}

function maxLength(entity: Entity): number {
  if ('content' in entity) return entity.content.maxLength;
  const delimiter = entity.boundary.length + '\r\n----\r\n'.length;
  let length = delimiter;
  for (const child of entity.children) {
    length += delimiter + 2 + maxLength(child);
    for (const field of child.fields) length += field.length + 2;
  }
  return length;
}

function* writeEntity(entity: Entity, out: Buffer, start: number): SlicedWork<number> {
  if ('content' in entity) return yield* writeContent(entity.content, out, start);
  let pos = start;
  let lead = '--';
  for (const child of entity.children) {
    pos += out.write(`${lead}${entity.boundary}\r\n${child.fields.join('\r\n')}\r\n\r\n`, pos, 'latin1');
    pos = yield* writeEntity(child, out, pos);
    lead = '\r\n--';
  }
  return pos + out.write(`\r\n--${entity.boundary}--\r\n`, pos, 'latin1');
}
