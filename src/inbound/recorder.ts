/**
 * Reads incoming reports and records their results.
 *
 * One transaction locks some waiting messages, computes their changes, applies these and removes the messages. A process that
 * dies in between has changed nothing, and its messages are available again: a report counts once, on whichever process. A
 * message that causes a failure is tried alone and then set aside, so that it does not block the others. After a failure of
 * PostgreSQL itself, it is tried again later.
 */
import type { CountedNames } from '../counters/counted-names.ts';
import { type CountedDelivery, countDeliveries, type DeliveryLabels } from '../counters/delivery-counts.ts';
import type { Database } from '../database/database.ts';
import { concernsOne, isConflict, isUnavailable } from '../database/errors.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import { applyOutcomes, type RecipientOutcome } from '../emails/outcomes.ts';
import { OWN_TAGS, STREAM } from '../emails/stream.ts';
import { appendEvents } from '../events/append.ts';
import { appendReports, type NewReport } from '../events/attempts.ts';
import { domainOf, type EmailAddress } from '../protocols/message/address.ts';
import type { DomainRef } from '../protocols/message/report-address.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { storedEmail } from '../protocols/message/stored.ts';
import { UNSUBSCRIBE_MAILBOX } from '../protocols/message/tracking-links.ts';
import type { UnsubscribeRef } from '../protocols/message/tracking-token.ts';
import { addCanaryCounts, lateOutcomesByPath } from '../routing/canary/counts.ts';
import { countSourceComplaints, sourcesComplainedOf } from '../routing/source-days.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { Turns } from '../runtime/turns.ts';
import { applySignals } from '../suppressions/automatic.ts';
import { unsubscribeAll } from '../suppressions/unsubscription.ts';
import { type ReadReport, readWaitingReports, recordReportsOf } from './aggregate/record-reports.ts';
import { applyReport, type Changes, type MessageResult, noChanges, waitSeconds } from './changes.ts';
import { countFirstComplaints } from './complaint-counts.ts';
import { type Interpretation, interpret, interpretUnsubscribe, type Judge } from './interpret.ts';
import { lockRecipients } from './recipients.ts';
import { readReport } from './report/read-report.ts';
import {
  keepInbound,
  lockReports,
  lockWaitingReports,
  postponeInbound,
  removeInbound,
  trimKeptInbound,
  type WaitingMessage,
} from './store.ts';

export interface RecorderDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly judge: Judge;
  /** The delivery of a reference in a returned message; null if this installation did not sign the reference. */
  readonly identify: (reference: string) => DeliveryRef | null;
  /** The recipient of an unsubscribe token; null if this installation did not create the token. */
  readonly unsubscriber: (token: string) => UnsubscribeRef | null;
  readonly isSimulated: (address: EmailAddress) => boolean;
  /** The labels by which late bounces are counted. */
  readonly names: CountedNames;
  readonly onResult?: (result: MessageResult) => void;
  readonly onReport?: (domain: DomainRef) => void;
  /** Called after new events. */
  readonly onRecorded?: () => void;
}

interface BatchKind<Message extends WaitingMessage> {
  readonly limit: number;
  /** Slow work, done before the transaction. */
  readonly prepare: (deps: RecorderDeps, limit: number) => Promise<readonly Message[]>;
  readonly hold: (tx: Sql, prepared: readonly Message[], limit: number) => Promise<readonly Message[]>;
  readonly record: (tx: Sql, deps: RecorderDeps, held: readonly Message[]) => Promise<Changes>;
}

/** At 256 KB each, a batch is bounded in memory. */
const MAIL: BatchKind<WaitingMessage> = {
  limit: 100,
  prepare: async () => [],
  hold: (tx, _prepared, limit) => lockWaitingReports(tx, limit),
  record,
};
/** Each may have megabytes, and take tenths of a second to read. */
const REPORTS: BatchKind<ReadReport> = {
  limit: 4,
  prepare: ({ db }, limit) => readWaitingReports(db, limit),
  hold: lockReports,
  record: recordReportsOf,
};

/** Processes some of the waiting messages. Returns how many. */
export function recordWaiting(deps: RecorderDeps): Promise<number> {
  return processBatch(deps, MAIL);
}

/** The same for reports about domains. */
export function recordReports(deps: RecorderDeps): Promise<number> {
  return processBatch(deps, REPORTS);
}

async function processBatch<Message extends WaitingMessage>(
  deps: RecorderDeps,
  way: BatchKind<Message>,
): Promise<number> {
  const prepared = await way.prepare(deps, way.limit);
  const held: Message[] = [];
  try {
    const changes = await deps.db.transaction(async (tx) => {
      held.push(...(await way.hold(tx, prepared, way.limit)));
      return way.record(tx, deps, held);
    });
    for (const result of changes.results) deps.onResult?.(result);
    await reportToRouting(deps, changes);
    if (changes.kept.length > 0) await trim(deps);
    if (changes.events.length + changes.unsubscriptions.length > 0) deps.onRecorded?.();
    return held.length;
  } catch (error) {
    const [first] = held;
    if (first === undefined || !concernsOne(error)) throw error;
    if (held.length > 1) return oneByOne(deps, way, held.length);
    if (isConflict(error)) throw error; // a retry will succeed
    if (isUnavailable(error)) await postpone(deps, first, error);
    else await setAside(deps, first, error);
    return held.length;
  }
}

/**
 * Control has these counts, so they are written afterwards. A process that dies in between loses them, and the canary relies on
 * its other counts.
 */
async function reportToRouting({ db, log }: RecorderDeps, { routed }: Changes): Promise<void> {
  try {
    await countSourceComplaints(db, routed.sources);
    await addCanaryCounts(db, routed.ways);
  } catch (error) {
    log.warn({ err: error }, 'a bounce or complaint cannot be counted for its transport');
  }
}

/** Runs right after a message was kept. Leftovers are handled by the next run. */
async function trim({ db, log }: RecorderDeps): Promise<void> {
  await trimKeptInbound(db).catch((error: unknown) => {
    log.warn({ err: error }, 'cannot remove the oldest kept inbound mail');
  });
}

async function oneByOne<Message extends WaitingMessage>(
  deps: RecorderDeps,
  way: BatchKind<Message>,
  count: number,
): Promise<number> {
  for (let i = 0; i < count; i += 1) await processBatch(deps, { ...way, limit: 1 });
  return count;
}

async function postpone({ db, log }: RecorderDeps, message: WaitingMessage, error: unknown) {
  log.error({ err: error, inboundId: message.id }, 'a report could not be recorded and will be retried');
  await postponeInbound(db, [{ ...message, seconds: waitSeconds(message.tries) }]);
}

async function setAside(deps: RecorderDeps, message: WaitingMessage, error: unknown) {
  deps.log.error({ err: error, inboundId: message.id }, 'a report could not be recorded and is set aside');
  const note = `It could not be recorded: ${error instanceof Error ? error.message : String(error)}`;
  await keepInbound(deps.db, [{ ...message, note: note.slice(0, 500) }]);
  deps.onResult?.('kept');
  await trim(deps);
}

async function record(tx: Sql, deps: RecorderDeps, held: readonly WaitingMessage[]): Promise<Changes> {
  const changes = noChanges();
  if (held.length === 0) return changes;
  const read = await interpretSome(held, deps);
  const recipients = await lockRecipients(
    tx,
    read.flatMap(({ interpretation }) => ('delivery' in interpretation ? [interpretation.delivery] : [])),
  );
  const context = { recipients, nowMs: deps.clock.nowMs(), isSimulated: deps.isSimulated };
  for (const { message, interpretation } of read) applyReport(message, interpretation, context, changes);
  await write(tx, changes, context.nowMs, deps.names);
  return changes;
}

/** Most messages take a fraction of a millisecond; maliciously slow ones must not keep the transaction open. */
const UNDERSTANDING_MS = 500;

/** Processes as many as fit into the time, in turns; the others wait for the next batch. */
async function interpretSome(held: readonly WaitingMessage[], deps: RecorderDeps) {
  const turns = new Turns();
  const untilMs = performance.now() + UNDERSTANDING_MS;
  const read: { readonly message: WaitingMessage; readonly interpretation: Interpretation }[] = [];
  for (const message of held) {
    read.push({ message, interpretation: understand(message, deps) });
    if (performance.now() > untilMs) break;
    if (turns.isOver) await turns.next();
  }
  return read;
}

function understand({ raw, delivery, mailbox }: WaitingMessage, deps: RecorderDeps): Interpretation {
  const { identify, judge, unsubscriber } = deps;
  if (mailbox === UNSUBSCRIBE_MAILBOX) return interpretUnsubscribe(raw, unsubscriber);
  return interpret(readReport(raw), delivery, identify, judge);
}

/** In the order in which deliveries are settled, so that the two never deadlock. */
async function write(tx: Sql, changes: Changes, nowMs: number, names: CountedNames): Promise<void> {
  await applySignals(tx, changes.signals);
  if (changes.unsubscriptions.length > 0) await unsubscribeAll(tx, changes.unsubscriptions, nowMs);
  await applyOutcomes(tx, changes.outcomes, nowMs);
  const complaints = changes.events.filter(({ type }) => type === 'complained');
  await countFirstComplaints(tx, complaints);
  const bounced = await lateBounces(tx, changes.outcomes, changes.reports);
  changes.routed.sources = await sourcesComplainedOf(tx, complaints);
  changes.routed.ways = await lateOutcomesByPath(tx, changes.outcomes, complaints);
  await countDeliveries(tx, [...bounced, ...(await complaintsOf(tx, complaints))], names);
  await Promise.all([
    appendEvents(tx, changes.events),
    appendReports(tx, changes.reports),
    removeInbound(tx, changes.done),
    postponeInbound(tx, changes.later),
    keepInbound(tx, changes.kept),
  ]);
}

interface LabelRow extends Pick<DeliveryLabels, 'tags' | 'stream'> {
  readonly index: number;
  readonly from_email: string;
  readonly template_id: string | null;
  readonly site: string | null;
  readonly provider: string | null;
}

/** Registered so that it is checked against the schema. */
const select = sql<LabelRow>(
  'inbound.labels',
  `SELECT (asked.index - 1)::int AS index, e.from_email, e.template_id, ${OWN_TAGS} AS tags, ${STREAM} AS stream, s.site, s.provider
   FROM unnest($1::text[], $2::uuid[], $3::smallint[]) WITH ORDINALITY AS asked(o, e, p, index)
   JOIN emails e ON e.organization_id = asked.o AND e.id = asked.e
   JOIN recipients r ON r.organization_id = asked.o AND r.email_id = asked.e AND r.position = asked.p
   LEFT JOIN site_domains s ON s.domain = split_part(r.address, '@', -1)
   WHERE e.id BETWEEN $4 AND $5 AND r.email_id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

/** Unprepared, like every query for weeks of mail by id. */
const selectNow = unprepared(select);

interface LateOutcome extends DeliveryRef {
  readonly atMs: number;
}

/**
 * Counted at their arrival; their mail was counted as delivered before. The labels of the counters are read here, because no
 * worker still has the mail.
 */
async function lateBounces(
  tx: Sql,
  outcomes: readonly RecipientOutcome[],
  reports: readonly NewReport[],
): Promise<CountedDelivery[]> {
  return labelled(tx, outcomes, ({ emailId, position }) => ({
    outcome: 'bounced',
    reason: reports.find((one) => one.emailId === emailId && one.position === position)?.reason ?? null,
  }));
}

function complaintsOf(tx: Sql, complaints: readonly LateOutcome[]): Promise<CountedDelivery[]> {
  return labelled(tx, complaints, () => ({ outcome: 'complained', reason: null }));
}

async function labelled<T extends LateOutcome>(
  tx: Sql,
  all: readonly T[],
  countedAs: (one: T) => Pick<CountedDelivery, 'outcome' | 'reason'>,
): Promise<CountedDelivery[]> {
  if (all.length === 0) return [];
  const ids = all.map((one) => one.emailId);
  const sorted = ids.toSorted();
  const rows = await tx.many(selectNow, [
    all.map((one) => one.organizationId),
    ids,
    all.map((one) => one.position),
    sorted[0],
    sorted.at(-1),
  ]);
  const labels = new Map(rows.map((row) => [row.index, labelsOf(row)]));
  return all.map((one, index) => ({
    organizationId: one.organizationId,
    atMs: one.atMs,
    isFirst: false,
    ...countedAs(one),
    labels: labels.get(index) ?? null,
  }));
}

function labelsOf({ from_email, template_id: templateId, tags, stream, site, provider }: LabelRow) {
  const known = site === null ? null : { name: site, provider: provider ?? '' };
  const fromDomain = domainOf(storedEmail(from_email));
  return { site: known, fromDomain, templateId, tags, stream, sinceMs: null };
}
