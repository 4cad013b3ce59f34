/**
 * Converts a request of another service into drafts. The drafts share their attachments, which are decoded
 * once. Each email is stored whole, so the total size is limited: a request of 20 MiB could otherwise fill a
 * disk.
 */

import { refusalError } from '../../emails/http/refusal-errors.ts';
import type { DraftOf } from '../../emails/http/send-request.ts';
import { ApiError } from '../../http/errors.ts';
import type { JsonFields } from '../../http/json-fields.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { Turns } from '../../runtime/turns.ts';
import { type Draft, isLinked } from '../../submission/draft.ts';
import { type Sender, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { submitMany } from '../../submission/submit-many.ts';

export interface TranslatedEmail {
  /**
   * The email in our API's JSON, built lazily: a thousand emails may contain as many copies of a large text.
   */
  readonly body: () => JsonFields | Promise<JsonFields>;
  /** Translates a field name into the service's own. */
  readonly nameOf: NameOfField;
}

const MAX_TOGETHER = 64 * 1024 * 1024;
const TOO_LARGE =
  'the emails of this request are larger than 64 MiB together: each has its own copy of the content and the attachments. ' +
  'Send it to fewer recipients per request';

interface ManyEmails {
  readonly emails: readonly TranslatedEmail[];
  /** The attachments' contents, if they were not sent in base64. */
  readonly contents?: readonly Buffer[];
  /** The field that determines the number of emails. */
  readonly field: string;
}

/** Call before any work. `charsEach` is the size of each email's source. */
export function assertFitsTogether(emails: number, charsEach: number, field: string): void {
  if (emails * charsEach > MAX_TOGETHER) throw tooLarge(field);
}

function tooLarge(field: string): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', [{ field, message: TOO_LARGE }], `${field}: ${TOO_LARGE}.`);
}

export async function draftsOf(
  draftOf: DraftOf,
  { emails, contents = [], field }: ManyEmails,
): Promise<Draft[]> {
  const turns = new Turns();
  const drafts: Draft[] = [];
  let together = 0;
  for (const { body: make, nameOf } of emails) {
    if (turns.isOver) await turns.next();
    const [first] = drafts;
    const body = await make();
    const own = await draftOf(first ? { ...body, attachments: undefined } : body).catch((error: unknown) => {
      throw withFieldsRenamed(error, nameOf);
    });
    const draft = first ? { ...own, attachments: first.attachments } : withContents(own, contents);
    together += sizeOfDraft(draft);
    if (together > MAX_TOGETHER) throw tooLarge(field);
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
    case 'filled':
      return content.template.dataJson.length;
    case 'mime':
      return content.mime.length;
  }
}

type NameOfField = (field: string) => string;

/** Translates problems of our own API to the dialect's field names. */
function withFieldsRenamed(error: unknown, nameOf: NameOfField): unknown {
  if (error instanceof ServiceError && error.code === 'VALIDATION_ERROR') {
    const problems = new Problems();
    for (const { field, message, kind } of error.problems) problems.add(nameOf(field), message, kind);
    return problems.any ? problems.toError({ ofRequestAlone: error.ofRequestAlone }) : error;
  }
  if (error instanceof ApiError) {
    const details = error.details.map((problem) => ({ ...problem, field: nameOf(problem.field) }));
    return new ApiError(error.code, details, error.message, error);
  }
  return error;
}

/** The id of the email, or of the batch for several emails. Throws the first refusal. */
export async function submitAll(
  submission: SubmissionDeps,
  sender: Sender,
  drafts: readonly Draft[],
  emails: readonly Pick<TranslatedEmail, 'nameOf'>[],
): Promise<string> {
  const [only, another] = drafts;
  const result =
    only !== undefined && another === undefined
      ? await submit(submission, sender, only)
      : await submitMany(submission, sender, drafts, { allOrNone: true });
  if (result.kind === 'accepted') return 'batchId' in result ? result.batchId : result.id;
  const first = result.kind === 'some_refused' ? result.refusals[0] : undefined;
  const nameOf = emails[first?.draft ?? 0]?.nameOf ?? String;
  throw withFieldsRenamed(refusalError(first?.refused ?? result), nameOf);
}
