/** Gathers the checklist, and decides which entries a caller may mark. */

import { lastComplaints } from '../../counters/delivery-counts.ts';
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { FEEDBACK_LOOPS, type FeedbackLoop } from './loops.ts';
import {
  domainsToEnrol,
  type EnrolledRow,
  enrolledLoops,
  insertEnrolment,
  removeEnrolment,
} from './store.ts';

export interface FeedbackLoopDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** The address for reports. */
  readonly reportsTo: string;
  /** The addresses from which this installation sends. */
  readonly addresses: () => Promise<readonly string[]>;
}

/** The caller. Only operators see addresses, because these belong to the installation. */
export interface Asker {
  readonly organizationId: string;
  readonly isOperator: boolean;
  /** The domain to which the caller's key is restricted, or null. */
  readonly domain: string | null;
}

export async function feedbackLoopsOf(deps: FeedbackLoopDeps, db: Sql, asker: Asker) {
  return checklist(await factsFor(deps, db, asker));
}

async function factsFor(deps: FeedbackLoopDeps, db: Sql, asker: Asker): Promise<ChecklistFacts> {
  const { organizationId, isOperator, domain } = asker;
  const [domains, addresses, enrolled, heard] = await Promise.all([
    domainsToEnrol(db, organizationId),
    isOperator ? deps.addresses() : [],
    enrolledLoops(db, organizationId),
    lastComplaints(db, organizationId),
  ]);
  const own = domains.filter((one) => domain === null || one === domain);
  return { domains: own, addresses, enrolled, heard, reportsTo: deps.reportsTo };
}

interface Ticked {
  readonly loop: string;
  readonly subject: string;
  readonly enrolled: boolean;
}

/** Returns the updated entry. */
export async function tickOff(deps: FeedbackLoopDeps, asker: Asker, by: string, ticked: Ticked) {
  const { db, clock } = deps;
  const { loop, subject, enrolled } = ticked;
  const find = async () =>
    (await feedbackLoopsOf(deps, db, asker)).find(
      (one) => one.loop === loop && one.subject.value === subject,
    );
  if ((await find()) === undefined)
    throw new ServiceError(
      'NOT_FOUND',
      'No feedback loop has this entry. GET /feedback-loops lists the entries.',
    );
  const one = { organizationId: asker.organizationId, loop, subject };
  await (enrolled ? insertEnrolment(db, one, by, clock.nowMs()) : removeEnrolment(db, one));
  const after = await find();
  if (after === undefined)
    throw new ServiceError('NOT_FOUND', 'Another request has just removed this entry. Try again.');
  return after;
}

/** `working`: complaints have arrived. `enrolled`: a user has marked it. `missing`: neither. */
export const LOOP_STATES = ['working', 'enrolled', 'missing'] as const;
type LoopState = (typeof LOOP_STATES)[number];

interface ChecklistFacts {
  readonly domains: readonly string[];
  /** Empty for organizations that do not operate the installation and own none of its addresses. */
  readonly addresses: readonly string[];
  readonly enrolled: readonly EnrolledRow[];
  /** When each provider last reported a complaint. */
  readonly heard: ReadonlyMap<string, Date>;
  /** The address for reports. */
  readonly reportsTo: string;
}

/** The checklist of all applicable feedback loops with their states. Pure. */
function checklist(facts: ChecklistFacts) {
  return FEEDBACK_LOOPS.flatMap((loop) => {
    const subjects = loop.subject === 'domain' ? facts.domains : facts.addresses;
    return subjects.map((subject) => entry(loop, subject, facts));
  });
}

function entry(loop: FeedbackLoop, subject: string, { enrolled, heard, reportsTo }: ChecklistFacts) {
  const said = enrolled.find((one) => one.loop === loop.name && one.subject === subject);
  const last = loop.sendsReports ? (heard.get(loop.provider) ?? null) : null;
  const state: LoopState = said === undefined ? 'missing' : last === null ? 'enrolled' : 'working';
  return {
    loop: loop.name,
    title: loop.title,
    provider: loop.provider,
    subject: { kind: loop.subject, value: subject },
    state,
    message: sentence(state, loop, last),
    url: loop.url,
    steps: loop.steps.map((step) => filledIn(step, subject, reportsTo)),
    enrolled_at: said?.enrolled_at ?? null,
    enrolled_by: said?.enrolled_by ?? null,
    last_complaint_at: last,
  };
}

function sentence(state: LoopState, { title, sendsReports }: FeedbackLoop, last: Date | null): string {
  if (state === 'missing') return `Not marked as enrolled. ${title} reports the complaints of its users.`;
  if (!sendsReports) return 'Enrolled. This provider sends no reports: look at its page from time to time.';
  return last === null
    ? 'Enrolled. No complaint has come in yet.'
    : `Working: the last complaint came in on ${last.toISOString().slice(0, 10)}.`;
}

function filledIn(step: string, subject: string, reportsTo: string): string {
  return step.replaceAll('{subject}', subject).replaceAll('{fbl}', reportsTo);
}
