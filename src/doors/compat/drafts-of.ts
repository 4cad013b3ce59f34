/**
 * The emails that one request of another service asks for, as drafts. They have the same files, which are decoded once. Each is
 * stored whole, though, so that without a bound a request of 20 MiB could fill a disk.
 */
import { ApiError } from '../../kit/http/errors.ts';
import { Turns } from '../../kit/runtime/turns.ts';
import { type Draft, isLinked } from '../../submission/draft.ts';
import type { DraftOf } from './draft-of.ts';
import type { JsonFields } from './json-fields.ts';
import { type NameOfField, withFieldsRenamed } from './renamed-fields.ts';

export interface TranslatedEmail {
  /** In the JSON of our own API. */
  readonly body: JsonFields;
  /** What the service calls a field of it. */
  readonly nameOf: NameOfField;
}

const MAX_TOGETHER = 64 * 1024 * 1024;
const TOO_LARGE =
  'The emails of this request are larger than 64 MiB together: each has its own copy of the content and the attachments. ' +
  'Send it to fewer recipients per request.';

/** `contents`: of the attachments, where they did not come in base64. */
export async function draftsOf(
  draftOf: DraftOf,
  emails: readonly TranslatedEmail[],
  contents: readonly Buffer[] = [],
): Promise<Draft[]> {
  const turns = new Turns();
  const drafts: Draft[] = [];
  let together = 0;
  for (const { body, nameOf } of emails) {
    if (turns.isOver) await turns.next();
    const [first] = drafts;
    const own = await draftOf(first ? { ...body, attachments: undefined } : body).catch((error: unknown) => {
      throw withFieldsRenamed(error, nameOf);
    });
    const draft = first ? { ...own, attachments: first.attachments } : withContents(own, contents);
    together += sizeOfDraft(draft);
    if (together > MAX_TOGETHER) throw new ApiError('PAYLOAD_TOO_LARGE', [], TOO_LARGE);
    drafts.push(draft);
  }
  return drafts;
}

function withContents(draft: Draft, contents: readonly Buffer[]): Draft {
  if (contents.length === 0) return draft;
  const attachments = draft.attachments.map((file, at) =>
    isLinked(file) ? file : { ...file, content: contents[at] ?? file.content },
  );
  return { ...draft, attachments };
}

function sizeOfDraft({ content, attachments }: Draft): number {
  const files = attachments.map((file) => (isLinked(file) ? 0 : file.content.length));
  return files.reduce((sum, size) => sum + size, sizeOfContent(content));
}

function sizeOfContent(content: Draft['content']): number {
  switch (content.kind) {
    case 'inline':
      return (content.html?.length ?? 0) + (content.text?.length ?? 0);
    case 'template':
      return JSON.stringify(content.data).length;
    case 'mime':
      return content.mime.length;
  }
}
