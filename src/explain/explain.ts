/** Explains for each recipient why an email did or did not arrive, with the servers' replies. */

import type { Sql } from '../database/sql.ts';
import { newestRepeats, repeatDigestOf } from '../emails/collapse.ts';
import type { EmailRow, RecipientRow } from '../emails/store-read.ts';
import type { AttemptRow } from '../events/attempts.ts';
import type { EventRow } from '../events/read.ts';
import { guardDecisionsOn } from '../interventions/holds/guard-findings.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import { APPROVAL_HOLD } from '../outbox/approval.ts';
import type { WaitingDelivery } from '../outbox/make-due.ts';
import { wasPutOff } from '../outbox/states.ts';
import { addressKeyOf, domainOf } from '../protocols/message/address.ts';
import { describeRoute } from '../routing/route-description.ts';
import type { SiteView, WaitingFor } from '../sites/site-view.ts';
import { type Stream, type StreamPace, turnWords } from '../streams/stream.ts';

/** The party that can fix a problem. */
export const RESPONSIBLE = ['recipient', 'sender', 'domain_owner', 'receiver', 'operator'] as const;
export type Responsible = (typeof RESPONSIBLE)[number];

/** Looks up the meaning of a reason. The delivery code implements it. */
export type Advise = (reason: string | null) => {
  readonly meaning: string;
  readonly responsible: Responsible;
  readonly advice: string;
} | null;

interface Explained {
  readonly email: EmailRow;
  readonly recipients: readonly RecipientRow[];
  readonly attempts: readonly AttemptRow[];
  readonly events: readonly EventRow[];
  readonly waiting: readonly WaitingDelivery[];
  /** What each unclaimed delivery waits for, by position. */
  readonly waits: ReadonlyMap<number, WaitingFor>;
  /** The hold of each due delivery, by position. */
  readonly holds: ReadonlyMap<number, HoldRow | null>;
  /** Recipients whose mail the guard slows, by position. */
  readonly slowed: ReadonlyMap<number, SlowedRepeat>;
  /** The email's stream, if it has a limit. */
  readonly limited: Pick<Stream, 'name' | keyof StreamPace> | null;
  readonly nowMs: number;
}

export function explain(found: Explained, advise: Advise) {
  return {
    id: found.email.id,
    status: found.email.status,
    require_tls: found.email.options.tls === 'required',
    recipients: found.recipients.map((recipient) => explainRecipient(recipient, found, advise)),
  };
}

function explainRecipient(recipient: RecipientRow, found: Explained, advise: Advise) {
  const { position } = recipient;
  const attempts = found.attempts.filter((one) => one.position === position);
  const waiting = found.waiting.find((one) => one.position === position);
  const hold = found.holds.get(position) ?? null;
  const wait = waiting && waitOf(waiting, found);
  if (waiting?.hold_id === APPROVAL_HOLD) return explainUnapproved(recipient, found.email);
  const slowed = wait ? undefined : found.slowed.get(position);
  const problem = hold ? problemOfHold(hold) : problemOf(recipient, attempts, found.events, advise);
  return {
    email: recipient.address,
    status: recipient.state,
    problem: problem ?? (wait ? problemOfWait(wait, advise) : slowed ? problemOfRepeat(slowed) : null),
    next_attempt_at: hold ? null : wait ? wait.expectedAt : (waiting?.due_at ?? null),
    wait: wait
      ? waitView(wait, hold)
      : waiting && attempts.length === 0
        ? turnOf(waiting, found, slowed)
        : null,
    hold: hold && holdView(hold),
    in_progress: waiting?.claimed ?? false,
    attempts: attempts.map((attempt) => attemptView(attempt, advise)),
  };
}

const UNAPPROVED =
  'The email waits for approval: the policy of its API key requires the approval of a member.';

/** For mail that awaits approval, which precedes any other reason to wait. */
function explainUnapproved({ address, state }: RecipientRow, { id }: EmailRow) {
  const advice = `Approve or reject it in the dashboard, under Approvals. GET /approvals/${id} says until when.`;
  const problem = {
    reason: 'awaiting_approval',
    meaning: UNAPPROVED,
    responsible: 'sender',
    advice,
  } as const;
  return {
    ...{ email: address, status: state, problem, next_attempt_at: null },
    wait: { site: null, message: UNAPPROVED, worker_running: true, expected_at: null },
    ...{ hold: null, in_progress: false, attempts: [] },
  };
}

/** The problem of the last attempt, or of the final event when no attempt was made. */
function problemOf(
  { position, state }: RecipientRow,
  attempts: readonly AttemptRow[],
  events: readonly EventRow[],
  advise: Advise,
) {
  if (state === 'delivered' || state === 'opened') return null;
  const ending = events.findLast((event) => event.position === position && event.reason !== null);
  const reason = ending?.type === 'rejected' ? ending.reason : (attempts.at(-1)?.reason ?? null);
  const advice = advise(reason);
  if (reason === null || advice === null) return null;
  return { reason, meaning: advice.meaning, responsible: advice.responsible, advice: advice.advice };
}

/** What delays the delivery. Null for a future due time while the site accepts mail. */
function waitOf({ position, due_at }: WaitingDelivery, { waits, nowMs }: Explained): WaitingFor | null {
  const wait = waits.get(position);
  if (wait === undefined) return null;
  const isHeld = wait.site !== null && wait.site.state !== 'open';
  return isHeld || due_at.getTime() <= nowMs ? wait : null;
}

/** A delivery postponed before its first attempt waits because of the guard or the limit of its stream. */
function turnOf(
  { due_at, claimed, hold_id }: WaitingDelivery,
  { limited, email, nowMs }: Explained,
  slowed: SlowedRepeat | undefined,
) {
  if (slowed) return { site: null, message: slowedWords(slowed), worker_running: true, expected_at: due_at };
  const isScheduled = (email.scheduled_at?.getTime() ?? 0) >= due_at.getTime();
  if (limited === null || claimed || hold_id !== null || isScheduled || due_at.getTime() <= nowMs)
    return null;
  return { site: null, message: turnWords(limited), worker_running: true, expected_at: due_at };
}

const NO_WORKER = 'No worker is running, so nothing is sent.';
const DUE_MESSAGE = 'The email is due and waits for its turn.';

function waitView({ site, isWorkerRunning, expectedAt }: WaitingFor, hold: HoldRow | null) {
  const isOpen = site === null || site.state === 'open';
  const message = isOpen ? DUE_MESSAGE : site.message;
  return {
    site: site && pick(site),
    message: hold ? heldWords(hold) : isWorkerRunning ? message : NO_WORKER,
    worker_running: isWorkerRunning,
    expected_at: hold ? null : expectedAt,
  };
}

/** Scopes of holds that only the guard places. */
const GUARD_SCOPES: ReadonlySet<string> = new Set(['lane', 'recipient']);

function holdView({ id, scope, value, reason, by_operator, placed_at }: HoldRow) {
  return { id, scope, value, reason, by_operator, since: placed_at };
}

function heldWords({ scope, by_operator, placed_at, reason }: HoldRow): string {
  const own = GUARD_SCOPES.has(scope) ? 'the guard' : 'your organization';
  const who = by_operator ? 'the operator of this installation' : own;
  return `The email has been held by ${who} since ${placed_at.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${reason}`;
}

function problemOfHold(hold: HoldRow) {
  const { id, by_operator } = hold;
  return {
    reason: 'held',
    meaning: heldWords(hold),
    responsible: by_operator ? 'operator' : 'sender',
    advice: by_operator
      ? 'Ask the operator of this installation: the mail is sent when they release the hold.'
      : `Release the hold to send it, or discard it: POST /holds/${id}/release or /discard.`,
  } as const;
}

const SLOWED =
  'The guard slows repeats of this email, because the address got too many: it sends one per minute, always the newest.';

function slowedWords({ isReplaced }: SlowedRepeat): string {
  const next = isReplaced
    ? 'A newer email replaced this email, which is withdrawn when its turn comes.'
    : 'This email is the newest, and is sent when its turn comes.';
  return `${SLOWED} ${next}`;
}

function problemOfRepeat(slowed: SlowedRepeat) {
  return {
    reason: 'flood_slowed',
    meaning: slowedWords(slowed),
    responsible: 'sender',
    advice:
      'Find out why the same email was sent to one address repeatedly. If that is intended, add the address to the allow-list of the guard (PUT /settings/guard).',
  } as const;
}

function pick(site: SiteView) {
  const { id, name, state, message, since, until, reason, reply, messages_per_minute, connections } = site;
  return { id, name, state, message, since, until, reason, reply, messages_per_minute, connections };
}

/** For mail without an attempt so far. */
function problemOfWait({ site, isWorkerRunning }: WaitingFor, advise: Advise) {
  if (!isWorkerRunning) {
    const advice = 'Start a worker, or find out why no worker runs: npx postrider status.';
    return { reason: 'no_worker', meaning: NO_WORKER, responsible: 'operator', advice } as const;
  }
  if (site === null || site.state === 'open') return null;
  if (site.state === 'paused') {
    const advice = 'Ask the operator of this installation: the mail is sent when they resume the site.';
    return {
      reason: 'site_paused',
      meaning: site.message,
      responsible: 'operator',
      advice,
    } as const;
  }
  return {
    reason: site.reason ?? 'site_waits',
    meaning: `Mail for ${site.name} waits. ${site.message}`,
    responsible: advise(site.reason)?.responsible ?? 'receiver',
    advice: advise(site.reason)?.advice ?? 'Nothing: Postrider retries automatically.',
  } as const;
}

function attemptView(
  { position: _position, evidence: _evidence, conversation, route, ...row }: AttemptRow,
  advise: Advise,
) {
  return {
    ...row,
    route: route && { ...route, message: describeRoute(route) },
    responsible: advise(row.reason)?.responsible ?? null,
    conversation: conversation === null ? [] : conversation.split('\n'),
  };
}

/** Finds the recipients of an email for which the guard slows repeats. Reads only. */
interface SlowedRepeat {
  /** A newer repeat exists, so this one is withdrawn when it becomes due. */
  readonly isReplaced: boolean;
}

/** By position. `waiting`: unclaimed deliveries without a hold and without an attempt. */
export async function slowedAmong(
  db: Sql,
  organizationId: string,
  email: EmailRow,
  recipients: readonly RecipientRow[],
  waiting: readonly WaitingDelivery[],
  nowMs: number,
): Promise<ReadonlyMap<number, SlowedRepeat>> {
  const startMs = Math.max(email.created_at.getTime(), email.scheduled_at?.getTime() ?? 0);
  const putOff = waiting.filter(({ due_at }) => wasPutOff({ dueAtMs: due_at.getTime() }, startMs));
  const asked = putOff.flatMap(({ position }) => recipients.find((one) => one.position === position) ?? []);
  const digests = asked.map((recipient) => digestOf(email, recipient));
  const newest = await newestRepeats(db, organizationId, digests);
  const slowed = new Map<number, SlowedRepeat>();
  for (const [i, { position, address }] of asked.entries()) {
    const newestId = newest[i];
    if (newestId === undefined || newestId < email.id) continue;
    const target = { organizationId, scope: 'recipient', value: addressKeyOf(address) } as const;
    const { isSlowed } = await guardDecisionsOn(db, target, nowMs);
    if (isSlowed) slowed.set(position, { isReplaced: newestId > email.id });
  }
  return slowed;
}

function digestOf({ from_email, template_id, subject }: EmailRow, { address }: RecipientRow): Buffer {
  const fromDomain = domainOf(from_email);
  return repeatDigestOf({ fromDomain, templateId: template_id, subject, recipient: address });
}
