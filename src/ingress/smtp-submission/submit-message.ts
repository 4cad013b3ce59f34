/**
 * A message and its envelope become an accepted email, or a refusal in the words of SMTP.
 *
 * A client that did not hear our 250 sends the message again, and it must go out once: what has a Message-ID, or a key of
 * the sender's own, is done once (submission/idempotency/once.ts). The same Message-ID with other content or other recipients is
 * another message: clients split a list of recipients. A recipient who was taken the first time may be refused the second,
 * because the message bounced meanwhile: so it is who was named that counts.
 */
import { createHash } from 'node:crypto';
import { isUnresolved } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { heldView } from '../../emails/http/send-answer.ts';
import type { Address } from '../../protocols/message/address.ts';
import type { Reply } from '../../protocols/smtp/server/replies.ts';
import { updateInTurns } from '../../runtime/large-hash.ts';
import type { Draft } from '../../submission/draft.ts';
import type { IdempotencyRef } from '../../submission/idempotency/idempotency-store.ts';
import {
  beginOnce,
  type Done,
  endRun,
  findStoredAnswer,
  holdRun,
  type KeyedRequest,
  ownedKey,
  type RequestRun,
  runWithoutReservation,
  selfKeyed,
} from '../../submission/idempotency/once.ts';
import type { Refused } from '../../submission/refused.ts';
import { type Accepted, type Sender, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { type DraftOfMessage, draftOfMessage } from './draft-of-message.ts';
import type { ReadOptions } from './options.ts';
import { accepted, refusal, SUBMISSION_REPLIES, wrongMessage } from './replies.ts';

export interface SmtpEnvelope {
  readonly mailFrom: string;
  readonly recipients: readonly Address[];
  /** The keys of all that were named, refused ones included. */
  readonly named: readonly string[];
  /** By the parameter REQUIRETLS. */
  readonly requireTls: boolean;
}

export type SubmitMessage = (sender: Sender, envelope: SmtpEnvelope, mime: Buffer) => Promise<Reply>;

export interface SubmitMessageDeps {
  readonly db: Sql;
  readonly submission: SubmissionDeps;
  readonly readOptions: ReadOptions;
}

type Drafted = Extract<DraftOfMessage, { kind: 'draft' }>;

export function createSubmitMessage(deps: SubmitMessageDeps): SubmitMessage {
  return async (sender, envelope, mime) => {
    const { recipients, requireTls } = envelope;
    const drafted = await draftOfMessage(mime, recipients, deps.readOptions, requireTls);
    const keyed = await keyOf(sender, envelope, mime, drafted.idempotencyKey);
    if (drafted.kind === 'wrong') {
      // What is wrong by now may have been right when it came first: a time that is over, for one.
      const answer = await findStoredAnswer(deps.db, keyed);
      return answer === null ? wrongMessage(drafted.words) : acceptedAs(answer.body);
    }
    if (drafted.idempotencyKey !== null) return submitByKey(deps, sender, drafted, keyed);
    if (drafted.messageId === null) return submitDraft(deps, sender, drafted, null);
    const submitting = (run: IdempotencyRef) => submitDraft(deps, sender, drafted, run);
    return replyOf(await runWithoutReservation(deps.db, keyed, submitting, isRefusal));
  };
}

/** With a key of the sender's own, under which another message may have come before. */
async function submitByKey(
  deps: SubmitMessageDeps,
  sender: Sender,
  drafted: Drafted,
  keyed: KeyedRequest,
): Promise<Reply> {
  const begun = await beginOnce(deps.db, keyed);
  switch (begun.kind) {
    case 'begun':
      return submitOnce(deps, sender, drafted, begun.run);
    case 'answered':
      return acceptedAs(begun.answer.body);
    case 'other_request':
      return SUBMISSION_REPLIES.otherMessage;
    case 'still_running':
      return SUBMISSION_REPLIES.stillRunning;
  }
}

async function submitOnce(
  deps: SubmitMessageDeps,
  sender: Sender,
  drafted: Drafted,
  run: RequestRun,
): Promise<Reply> {
  try {
    const done = await holdRun(deps.db, run, () => submitDraft(deps, sender, drafted, run));
    // Once its cause is gone, the same message is meant to be taken.
    if (done.kind === 'done' && isRefusal(done.result)) await endRun(deps.db, run, null);
    return replyOf(done);
  } catch (error) {
    if (!isUnresolved(error)) await endRun(deps.db, run, null);
    throw error;
  }
}

function replyOf(done: Done<Reply>): Reply {
  if (done.kind === 'done') return done.result;
  return done.answer === null ? SUBMISSION_REPLIES.stillRunning : acceptedAs(done.answer.body);
}

function isRefusal({ code }: Reply): boolean {
  return code !== 250;
}

async function submitDraft(
  { submission }: SubmitMessageDeps,
  sender: Sender,
  { draft }: Drafted,
  run: IdempotencyRef | null,
): Promise<Reply> {
  const once = run && { run, answer: answerOf };
  let result = await submit(submission, sender, draft, once);
  if (leavesSomebody(result, draft))
    result = await submit(submission, sender, { ...draft, onSuppressed: 'report' }, once);
  return result.kind === 'accepted' ? accepted(result.id, result.hold?.id) : refusal(result);
}

/**
 * Who unsubscribed from the group of a message is not known when recipients are named, but when the message has come: the
 * others get it then, and the email's events say who did not.
 */
function leavesSomebody(result: Accepted | Refused, { to, cc, bcc }: Draft): boolean {
  if (result.kind !== 'recipients_suppressed') return false;
  return result.recipients.length < to.length + cc.length + bcc.length;
}

/** In the form of the API's answers, which whoever looks through them knows. */
function answerOf({ id, hold }: Accepted) {
  return { status: 250, body: { data: { message_id: id, ...heldView(hold) } } };
}

function acceptedAs(body: unknown): Reply {
  const { message_id: id, hold } = (body as ReturnType<typeof answerOf>['body']).data;
  return accepted(id, hold?.id);
}

async function keyOf(
  { organizationId, tiedTo, agent }: Sender,
  { mailFrom, named, requireTls }: SmtpEnvelope,
  mime: Buffer,
  idempotencyKey: string | null,
): Promise<KeyedRequest> {
  const demands = requireTls ? ['REQUIRETLS'] : [];
  const envelope = `SMTP ${JSON.stringify([tiedTo, mailFrom, named.toSorted(), ...demands])}\n`;
  const growing = createHash('sha256').update(envelope);
  await updateInTurns(growing, mime);
  const hash = growing.digest();
  if (idempotencyKey !== null)
    return { organizationId, key: ownedKey(agent, `smtp ${idempotencyKey}`), hash };
  return selfKeyed(organizationId, ownedKey(agent, `smtp message ${hash.toString('base64url')}`));
}
