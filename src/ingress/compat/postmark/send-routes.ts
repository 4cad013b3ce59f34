/** Sends one message, or up to 500 different ones with separate results. */
import type { FastifyInstance } from 'fastify';
import { noteRefusedEmails } from '../../../emails/http/mixed-routes.ts';
import { refusalError } from '../../../emails/http/refusal-errors.ts';
import { type DraftOf, senderOf } from '../../../emails/http/send-request.ts';
import { ApiError } from '../../../http/errors.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import { Turns } from '../../../runtime/turns.ts';
import type { Draft } from '../../../submission/draft.ts';
import type { Refused } from '../../../submission/refused.ts';
import { type Accepted, type Sender, type SubmissionDeps, submit } from '../../../submission/submit.ts';
import { submitMany } from '../../../submission/submit-many.ts';
import type { TemplateNumbers } from '../../../templates/number.ts';
import { postmarkErrorOfItem } from './error-answer.ts';
import { bodyOfMessage, bodyOfTemplated, fieldsOfPostmark, given } from './message-body.ts';

const MAX_MESSAGES = 500;
const config = { scope: 'send', tied: true } as const;

export function routePostmarkSending(app: FastifyInstance, deps: PostmarkSending): void {
  const single = (path: string, kind: MessageKind) =>
    app.post(path, { config }, (request) => sendPostmarkMessage(deps, senderOf(request), request.body, kind));
  const many = (path: string, kind: MessageKind, messagesOf: (body: unknown) => unknown) =>
    app.post(path, { config }, async (request) => {
      const onError = (error: unknown) => request.log.error({ err: error }, 'a part of a batch failed');
      const messages = messagesIn(messagesOf(request.body));
      const answers = await sendPostmarkMessages(deps, senderOf(request), messages, kind, onError);
      noteRefusedEmails(
        request,
        messages,
        answers.flatMap((one, index) => ('error' in one ? [{ index, error: one.error }] : [])),
      );
      return answers.map((one) => ('error' in one ? postmarkErrorOfItem(one.error) : one));
    });
  single('/email', 'plain');
  single('/email/withTemplate', 'templated');
  many('/email/batch', 'plain', (body) => body);
  many('/email/batchWithTemplates', 'templated', (body) => fieldsOfPostmark(body).Messages);
}

function messagesIn(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw new Problems().add('Messages', 'must be an array of messages').toError();
  if (list.length > MAX_MESSAGES)
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      [],
      `A batch may have ${MAX_MESSAGES} messages, this has ${list.length}.`,
    );
  return list;
}

interface PostmarkSending {
  readonly submission: SubmissionDeps;
  readonly draftOf: DraftOf;
  readonly numbers: TemplateNumbers;
}

type MessageKind = 'plain' | 'templated';
type SentMessage = ReturnType<typeof sentView>;

/** One refused message among several. */
interface RefusedMessage {
  readonly error: ApiError | ServiceError;
}

/** The result of a draft, and its suppressed recipients. */
interface Outcome {
  readonly result: Accepted | Refused;
  readonly inactive: readonly string[];
}

type SubmitAll = (drafts: readonly Draft[]) => Promise<readonly (Accepted | Refused)[]>;

/**
 * Sends messages with Postmark's rules: suppressed recipients are left out and named in the response. A
 * message is refused only when no recipient is left.
 */
async function sendPostmarkMessage(
  deps: PostmarkSending,
  sender: Sender,
  body: unknown,
  kind: MessageKind,
): Promise<SentMessage> {
  const message = fieldsOfPostmark(body);
  const draft = await draftOfMessage(deps, sender, message, kind);
  const one: SubmitAll = (drafts) => Promise.all(drafts.map((each) => submit(deps.submission, sender, each)));
  const [outcome] = await submitToActive([draft], one, one);
  return answerTo(message, outcome as Outcome);
}

/**
 * Returns one result per message, in order; a refused message does not block the others. After some messages
 * were accepted, an error must not hide that, or clients would send them again: it becomes the result of the
 * affected messages only.
 */
async function sendPostmarkMessages(
  deps: PostmarkSending,
  sender: Sender,
  messages: readonly unknown[],
  kind: MessageKind,
  onError: (error: unknown) => void,
): Promise<(SentMessage | RefusedMessage)[]> {
  const prepared = await prepareAll(deps, sender, messages, kind);
  const ready = prepared.filter((one) => 'draft' in one);
  const together: SubmitAll = (drafts) => submitTogether(deps.submission, sender, drafts);
  const orOverloaded: SubmitAll = (drafts) =>
    together(drafts).catch((error) => {
      onError(error);
      return drafts.map(() => ({ kind: 'overloaded' }) as const);
    });
  const outcomes = await submitToActive(
    ready.map(({ draft }) => draft),
    together,
    orOverloaded,
  );
  const answers = new Map(ready.map((one, index) => [one, outcomes[index] as Outcome]));
  return prepared.map((one) =>
    'draft' in one ? orItsError(() => answerTo(one.message, answers.get(one) as Outcome)) : one,
  );
}

type Prepared = { readonly message: JsonFields; readonly draft: Draft } | RefusedMessage;

async function prepareAll(
  deps: PostmarkSending,
  sender: Sender,
  messages: readonly unknown[],
  kind: MessageKind,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  const turns = new Turns();
  for (const each of messages) {
    if (turns.isOver) await turns.next();
    try {
      const message = fieldsOfPostmark(each);
      prepared.push({ message, draft: await draftOfMessage(deps, sender, message, kind) });
    } catch (error) {
      prepared.push(refusedMessage(error));
    }
  }
  return prepared;
}

async function draftOfMessage(
  { draftOf, numbers }: PostmarkSending,
  { organizationId }: Sender,
  message: JsonFields,
  kind: MessageKind,
): Promise<Draft> {
  if (kind === 'plain') return draftOf(await bodyOfMessage(message));
  return draftOf(await bodyOfTemplated(message, await templateOf(numbers, organizationId, message)));
}

async function templateOf(
  numbers: TemplateNumbers,
  organizationId: string,
  { TemplateAlias, TemplateId }: JsonFields,
): Promise<string> {
  const alias = given(TemplateAlias);
  if (typeof alias === 'string') return alias;
  const number = typeof TemplateId === 'string' ? Number(given(TemplateId)) : TemplateId;
  if (typeof number !== 'number' || alias !== undefined)
    throw new Problems().add('template_id', 'a TemplateId or a TemplateAlias is required').toError();
  const id = await numbers.idOf(organizationId, number);
  if (id === undefined) throw new ApiError('NOT_FOUND', [], 'There is no such template.');
  return id;
}

/** `submitRest` submits drafts for their remaining recipients, after the others were accepted. */
async function submitToActive(
  drafts: readonly Draft[],
  submitAll: SubmitAll,
  submitRest: SubmitAll,
): Promise<Outcome[]> {
  const results = await submitAll(drafts);
  const outcomes = drafts.map((draft, index) => {
    const result = results[index] as Accepted | Refused;
    return { result, inactive: inactiveBesideOthers(draft, result) };
  });
  const partly = outcomes.flatMap(({ inactive }, index) => (inactive.length > 0 ? [index] : []));
  if (partly.length === 0) return outcomes;
  // The worker skips the suppressed recipients, and the email's events record that.
  const again = await submitRest(
    partly.map((index) => ({ ...(drafts[index] as Draft), onSuppressed: 'report' })),
  );
  partly.forEach((index, at) => {
    outcomes[index] = { ...(outcomes[index] as Outcome), result: again[at] as Accepted | Refused };
  });
  return outcomes;
}

async function submitTogether(
  submission: SubmissionDeps,
  sender: Sender,
  drafts: readonly Draft[],
): Promise<readonly (Accepted | Refused)[]> {
  if (drafts.length === 0) return [];
  const result = await submitMany(submission, sender, drafts, { allOrNone: false });
  if (result.kind !== 'accepted') throw errorOf(result);
  return result.results;
}

/**
 * The suppressed ones among several recipients. Empty when all are suppressed, or when the refusal has
 * another reason.
 */
function inactiveBesideOthers({ to, cc, bcc }: Draft, result: Accepted | Refused): readonly string[] {
  if (result.kind !== 'recipients_suppressed') return [];
  const inactive = new Set(result.recipients.map(({ email }) => email));
  const isAny = [...to, ...cc, ...bcc].some(({ address }) => !inactive.has(address.email));
  return isAny ? [...inactive] : [];
}

function answerTo(message: JsonFields, { result, inactive }: Outcome): SentMessage {
  if (result.kind !== 'accepted') throw errorOf(result);
  return sentView(message, result, inactive);
}

function orItsError(answer: () => SentMessage): SentMessage | RefusedMessage {
  try {
    return answer();
  } catch (error) {
    return refusedMessage(error);
  }
}

function refusedMessage(thrown: unknown): RefusedMessage {
  if (thrown instanceof ApiError || thrown instanceof ServiceError) return { error: thrown };
  throw thrown;
}

/** Uses the wording from which Postmark's clients parse the addresses. */
function errorOf(refused: Refused): ApiError | ServiceError {
  if (refused.kind !== 'recipients_suppressed') return refusalError(refused);
  const addresses = [...new Set(refused.recipients.map(({ email }) => email))].join(', ');
  return new ApiError(
    'RECIPIENTS_SUPPRESSED',
    [],
    'You tried to send to recipient(s) that have been marked as inactive. ' +
      `Found inactive addresses: ${addresses}. Inactive recipients are ones that are on the suppression list, ` +
      'after a hard bounce, a spam complaint, an unsubscription or by hand.',
  );
}

function sentView({ To, Cc, Bcc }: JsonFields, sent: Accepted, inactive: readonly string[]) {
  const leftOut = `Message OK, but will not deliver to these inactive addresses: ${inactive.join(', ')}`;
  return {
    To,
    ...(given(Cc) === undefined ? {} : { Cc }),
    ...(given(Bcc) === undefined ? {} : { Bcc }),
    SubmittedAt: new Date(sent.createdAtMs).toISOString(),
    MessageID: sent.id,
    ErrorCode: 0,
    Message: inactive.length === 0 ? 'OK' : leftOut,
  };
}
