/**
 * Turns a message and its envelope into an accepted email, or a refusal as an SMTP reply.
 *
 * A client that did not receive our 250 sends the message again, but it must be sent only once: a message
 * with a Message-ID or an idempotency key is processed once (submission/idempotency/run.ts). The same
 * Message-ID with other content or other recipients is another message, because clients split lists of
 * recipients. The recipients named by the client count, not those accepted: one accepted the first time may
 * be refused the second, after a bounce.
 */
import { createHash } from 'node:crypto';
import { isUnresolved } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { heldView } from '../../emails/http/sent-answer.ts';
import type { Address } from '../../protocols/message/address.ts';
import type { Reply } from '../../protocols/smtp/server/replies.ts';
import { updateInTurns } from '../../runtime/large-hash.ts';
import type { Draft } from '../../submission/draft.ts';
import {
  type Done,
  endReservation,
  findStoredAnswer,
  type KeyedRequest,
  ownedKey,
  type RequestRun,
  reserve,
  runReserved,
  runWithoutReservation,
  selfKeyed,
} from '../../submission/idempotency/run.ts';
import type { IdempotencyRef } from '../../submission/idempotency/store.ts';
import type { Refused } from '../../submission/refused.ts';
import { type Accepted, type Sender, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { type DraftOfMessage, draftOfMessage } from './draft-of-message.ts';
import type { ReadOptions } from './options.ts';
import { accepted, refusal, SUBMISSION_REPLIES, wrongMessage } from './replies.ts';

interface SmtpEnvelope {
  readonly mailFrom: string;
  readonly recipients: readonly Address[];
  /** The address keys of all named recipients, including refused ones. */
  readonly named: readonly string[];
  /** Set by the parameter REQUIRETLS. */
  readonly requireTls: boolean;
}

export type SubmitMessage = (sender: Sender, envelope: SmtpEnvelope, mime: Buffer) => Promise<Reply>;

interface SubmitMessageDeps {
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
      // A repeat may be invalid by now although the first message was valid, for example after its scheduled
      // time.
      const answer = await findStoredAnswer(deps.db, keyed);
      return answer === null ? wrongMessage(drafted.words) : acceptedAs(answer.body);
    }
    if (drafted.idempotencyKey !== null) return submitByKey(deps, sender, drafted, keyed);
    if (drafted.messageId === null) return submitDraft(deps, sender, drafted, null);
    const submitting = (run: IdempotencyRef) => submitDraft(deps, sender, drafted, run);
    return replyOf(await runWithoutReservation(deps.db, keyed, submitting, isRefusal));
  };
}

/** Submits with the sender's idempotency key, under which another message may have been sent. */
async function submitByKey(
  deps: SubmitMessageDeps,
  sender: Sender,
  drafted: Drafted,
  keyed: KeyedRequest,
): Promise<Reply> {
  const begun = await reserve(deps.db, keyed);
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
    const done = await runReserved(deps.db, run, () => submitDraft(deps, sender, drafted, run));
    // A refusal is not kept, so that the same message is accepted once the cause is fixed.
    if (done.kind === 'done' && isRefusal(done.result)) await endReservation(deps.db, run, null);
    return replyOf(done);
  } catch (error) {
    if (!isUnresolved(error)) await endReservation(deps.db, run, null);
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
  return result.kind === 'accepted' ? accepted(result.id, result.hold ?? undefined) : refusal(result);
}

/**
 * Unsubscribes from a message's group are unknown until the message has arrived, after its recipients were
 * accepted. The other recipients then get it, and the email's events record the suppressed ones.
 */
function leavesSomebody(result: Accepted | Refused, { to, cc, bcc }: Draft): boolean {
  if (result.kind !== 'recipients_suppressed') return false;
  return result.recipients.length < to.length + cc.length + bcc.length;
}

/** The same format as the API's answers. */
function answerOf({ id, hold }: Accepted) {
  return { status: 250, body: { data: { message_id: id, ...heldView(hold) } } };
}

function acceptedAs(body: unknown): Reply {
  const { message_id: id, hold } = (body as ReturnType<typeof answerOf>['body']).data;
  return accepted(id, hold && { id: hold.id, placedBy: hold.placed_by });
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
