/**
 * `messages` and `messages.mime`. Either all emails are stored on disk, or the request is refused as a whole.
 */

import type { Sql } from '../../../database/sql.ts';
import type { DraftOf } from '../../../emails/http/send-request.ts';
import { CANNOT_BE_MAILED, MAX_RECIPIENTS } from '../../../emails/mailbox-schema.ts';
import { ApiError } from '../../../http/errors.ts';
import { FormBody } from '../../../http/form-body.ts';
import { type Address, isSendable } from '../../../protocols/message/address.ts';
import { uuidv7 } from '../../../runtime/ids.ts';
import { Problems } from '../../../runtime/problems.ts';
import type { Draft } from '../../../submission/draft.ts';
import type { Sender, SubmissionDeps } from '../../../submission/submit.ts';
import { draftOfMessage } from '../../smtp-submission/draft-of-message.ts';
import type { ReadOptions } from '../../smtp-submission/options.ts';
import { draftsOf, submitAll } from '../drafts-of.ts';
import { addressNamed } from '../reason-lists.ts';
import { withLineEnds } from './line-ends.ts';
import {
  isYes,
  jsonOf,
  MAX_MAILBOXES_READ,
  mailboxesOf,
  mailgunBody,
  mailgunField,
  mailgunOptions,
} from './message-body.ts';
import { assertOwnDomain } from './own-domain.ts';
import { personalBodies } from './recipient-variables.ts';

export interface SendMessageDeps {
  readonly db: Sql;
  readonly submission: SubmissionDeps;
  readonly draftOf: DraftOf;
  readonly readOptions: ReadOptions;
}

interface MailgunSender {
  readonly sender: Sender;
  readonly domain: string;
}

export async function sendMessage(deps: SendMessageDeps, sender: MailgunSender, given: unknown) {
  const form = formOf(given);
  const { body, contents } = await mailgunBody(form);
  const variables = await jsonOf(form, 'recipient-variables');
  const bodies = variables === undefined ? [() => body] : personalBodies(body, variables);
  const emails = bodies.map((make) => ({ body: make, nameOf: mailgunField }));
  return handIn(deps, sender, form, await draftsOf(deps.draftOf, { emails, contents, field: 'to' }));
}

/** Sends a raw message unchanged to the recipients in `to`. */
export async function sendMimeMessage(deps: SendMessageDeps, sender: MailgunSender, given: unknown) {
  const form = formOf(given);
  if (form.text('recipient-variables'))
    throw new Problems().add('recipient-variables', 'is not offered for whole messages').toError();
  const [message, another] = form.parts('message');
  if (message === undefined || another !== undefined)
    throw new Problems().add('message', 'must be there once').toError();
  const recipients = await recipientsOf(form);
  const options = mailgunOptions(form);
  const mime = await withLineEnds(message.content);
  const drafted = await draftOfMessage(mime, recipients, (fields) => deps.readOptions(fields, options));
  if (drafted.kind === 'wrong') throw new ApiError('VALIDATION_ERROR', [], drafted.words);
  return handIn(deps, sender, form, [{ ...drafted.draft, onSuppressed: 'report' }]);
}

async function handIn(
  { db, submission }: SendMessageDeps,
  { sender, domain }: MailgunSender,
  form: FormBody,
  drafts: readonly Draft[],
) {
  const { domain: from } = (drafts[0] as Draft).from.address;
  await assertOwnDomain(db, sender.organizationId, domain, from);
  const emails = drafts.map(() => ({ nameOf: mailgunField }));
  const id = isYes(form, 'o:testmode')
    ? uuidv7(submission.clock.nowMs())
    : await submitAll(submission, sender, drafts, emails);
  // For a single message without its own Message-ID, this is its Message-ID.
  return { id: `<${id}@${from}>`, message: 'Queued. Thank you.' };
}

function formOf(given: unknown): FormBody {
  if (given instanceof FormBody) return given;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
}

async function recipientsOf(form: FormBody): Promise<Address[]> {
  const mailboxes = (await mailboxesOf(form, 'to')) ?? [];
  const problems = new Problems();
  if (mailboxes.length === 0) problems.missing('to');
  if (mailboxes.length > MAX_RECIPIENTS)
    problems.add(
      'to',
      `must not have more than ${MAX_RECIPIENTS} recipients, these are ${countInWords(mailboxes)}`,
    );
  problems.throwIfAny();
  const addresses = mailboxes.map(({ email }) => addressNamed(email, 'to'));
  if (!addresses.every(isSendable)) throw problems.add('to', CANNOT_BE_MAILED).toError();
  return addresses;
}

function countInWords({ length }: readonly unknown[]): string {
  return length < MAX_MAILBOXES_READ ? String(length) : `${MAX_MAILBOXES_READ} or more`;
}
