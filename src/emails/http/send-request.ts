/**
 * Turns the JSON of a send into a draft. The schema has validated the JSON; here run the checks that take too long for a
 * schema.
 */

import type { FastifyRequest } from 'fastify';
import { agentOf } from '../../http/access.ts';
import { jsonFields } from '../../http/json-fields.ts';
import { judgedBy } from '../../http/judged-by.ts';
import type { Principal } from '../../http/principal.ts';
import { decodeBase64 } from '../../protocols/message/base64-in-turns.ts';
import type { Clock } from '../../runtime/clock.ts';
import { canonicalLocale } from '../../runtime/locale.ts';
import { Problems } from '../../runtime/problems.ts';
import { parseMoment } from '../../runtime/timestamp.ts';
import { Turns } from '../../runtime/turns.ts';
import {
  type BatchDraft,
  type BatchRecipient,
  type Draft,
  type DraftAttachment,
  ORDINARY,
} from '../../submission/draft.ts';
import type { Sender } from '../../submission/submit.ts';
import { NOT_BASE64 } from '../fields-schema.ts';
import { mailboxOrProblem, toMailbox, toMailboxes } from '../mailbox-schema.ts';
import { mailOptionsOf } from '../options-schema.ts';
import { type SendBody, sendBody, type TemplateTestBody } from '../schema.ts';
import type { BatchBody } from './batch-schema.ts';

/** The facts about the sender that are known before the body is read. */
export type SendingRequest = Pick<FastifyRequest, 'principal' | 'id' | 'span'>;

export function senderOf({ principal, id, span }: SendingRequest): Sender {
  const { organizationId, keyId, domain: tiedTo, policy = null } = principal;
  const origin = { requestId: id, traceparent: span?.traceparent };
  return { organizationId, keyId, tiedTo, policy, origin };
}

export function senderWithKey(principal: Principal): Sender {
  const { organizationId, keyId, domain, policy = null } = principal;
  return { organizationId, keyId, tiedTo: domain, policy, agent: agentOf(principal) };
}

/** Decodes large files in turns, so that other requests are not delayed. */
export async function filesOf({
  attachments: given = [],
}: Pick<SendBody, 'attachments'>): Promise<DraftAttachment[]> {
  const problems = new Problems();
  const turns = new Turns();
  const files: DraftAttachment[] = [];
  for (const [index, one] of given.entries()) {
    const { url, filename = null, content_type: type = null, content_id: contentId = null } = one;
    if (url !== undefined) {
      files.push({ url, filename, contentType: type, contentId });
      continue;
    }
    const content = await decodeBase64(one.content ?? '', turns);
    if (content === null) problems.add(`attachments[${index}].content`, NOT_BASE64);
    else
      files.push({
        filename: filename ?? '',
        contentType: type ?? 'application/octet-stream',
        contentId,
        content,
      });
  }
  if (problems.any) throw problems.toError({ ofRequestAlone: true });
  return files;
}

/** `attachments`: the files of the body, already decoded. */
export function toDraft(
  body: SendBody,
  attachments: readonly DraftAttachment[],
  onSuppressed: Draft['onSuppressed'] = 'refuse',
): Draft {
  return {
    to: toMailboxes(body.to),
    cc: toMailboxes(body.cc),
    bcc: toMailboxes(body.bcc),
    content: contentOf(body),
    attachments,
    from: toMailbox(body.from),
    replyTo: toMailboxes(body.reply_to),
    // Last, because adding fields to an object after a spread this large costs more than everything else here.
    ...mailOptionsOf(body, onSuppressed),
  };
}

/** Sends a template with its own subject, as it will look in a real inbox. */
export function toTestDraft(id: string, { from, to, data = {}, locale }: TemplateTestBody): Draft {
  return {
    ...ORDINARY,
    from: toMailbox(from),
    to: [toMailbox(to)],
    content: { kind: 'template', id, subject: null, data, locale: localeOf(locale) },
  };
}

export interface BatchRequest {
  readonly draft: BatchDraft;
  /** The index of each recipient of the draft in the request. */
  readonly places: readonly number[];
  /** Recipients with an invalid address, which are not in the draft. */
  readonly unusable: readonly { readonly index: number; readonly error: string }[];
}

/** `attachments`: the files of the body, already decoded. */
export async function toBatchDraft(
  body: BatchBody,
  attachments: readonly DraftAttachment[],
): Promise<BatchRequest> {
  const recipients: BatchRecipient[] = [];
  const places: number[] = [];
  const unusable: { index: number; error: string }[] = [];
  const turns = new Turns();
  for (const [index, { to, data = {}, locale }] of body.recipients.entries()) {
    if (turns.isOver) await turns.next();
    const mailbox = mailboxOrProblem(to);
    if (typeof mailbox === 'string') unusable.push({ index, error: mailbox });
    else {
      recipients.push({ to: mailbox, data, locale: localeOf(locale) });
      places.push(index);
    }
  }
  const template = { id: body.template_id, subject: body.subject ?? null, locale: localeOf(body.locale) };
  const mailboxes = { from: toMailbox(body.from), replyTo: toMailboxes(body.reply_to) };
  return {
    draft: { ...mailboxes, template, recipients, attachments, ...mailOptionsOf(body) },
    places,
    unusable,
  };
}

function contentOf({
  subject,
  html,
  text,
  template_id: id,
  template_data: data,
  locale,
}: SendBody): Draft['content'] {
  if (id !== undefined) return { kind: 'template', id, subject, data: data ?? {}, locale: localeOf(locale) };
  return { kind: 'inline', subject, html: html ?? null, text: text ?? null };
}

function localeOf(given: string | undefined): string | null {
  return given === undefined ? null : canonicalLocale(given);
}

/** Rejects with the problems. */
export type DraftOf = (body: unknown) => Promise<Draft>;

/**
 * Validates the translation of another service's request against the rules of Postrider's own API, so that no compatibility
 * endpoint has rules about mail. A refusal names the fields of Postrider's API; the endpoint replaces them with its own names.
 */
export function createDraftOf(clock: Clock, onSuppressed: Draft['onSuppressed'] = 'refuse'): DraftOf {
  const judge = judgedBy(sendBody(clock));
  return async (body) => {
    const checked = judge(body);
    return toDraft(checked, await filesOf(checked), onSuppressed);
  };
}

/** For services where an email without a subject has the template's; Postrider's API requires a subject. */
export function withTemplateSubject(draftOf: DraftOf): DraftOf {
  return async (body) => {
    const fields = jsonFields(body);
    if (fields.template_id === undefined || fields.subject !== undefined) return draftOf(body);
    const draft = await draftOf({ ...fields, subject: 'The subject of the template' });
    const { content } = draft;
    return content.kind === 'template' ? { ...draft, content: { ...content, subject: null } } : draft;
  };
}
