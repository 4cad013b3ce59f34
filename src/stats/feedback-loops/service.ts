/** Gathers the checklist, and decides which entries a caller may mark. */

import { lastComplaints } from '../../counters/delivery-counts.ts';
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { type ChecklistFacts, checklist } from './checklist.ts';
import { domainsToEnrol, enrolledLoops, insertEnrolment, removeEnrolment } from './store.ts';

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

export interface Ticked {
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
    throw new ServiceError('NOT_FOUND', 'There is no such entry. GET /feedback-loops lists them.');
  const one = { organizationId: asker.organizationId, loop, subject };
  await (enrolled ? insertEnrolment(db, one, by, clock.nowMs()) : removeEnrolment(db, one));
  const after = await find();
  if (after === undefined) throw new ServiceError('NOT_FOUND', 'It was removed in this moment.');
  return after;
}
