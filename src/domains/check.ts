/** Checks one domain: queries DNS, computes the new state, stores it and records events. */

import type { Database } from '../database/database.ts';
import { appendDomainEvent, type DomainEventType } from '../events/domain-events.ts';
import type { ReportAddresses } from '../protocols/message/report-address.ts';
import type { Log } from '../runtime/log.ts';
import { recordCheck } from './check-store.ts';
import type { HostSts } from './dns-records.ts';
import { advanceRotation, type RotationDeps } from './rotate.ts';
import type { DomainWithKey } from './signing-keys.ts';
import type { Senders } from './spf.ts';
import { type DomainRow, findDomain } from './store.ts';
import { checkHostOf, nextHostCheckAt, type TrackingDeps } from './tracking/service.ts';
import { findTracking } from './tracking/store.ts';
import {
  type DomainTransition,
  GRACE_MS,
  stateAfterCheck,
  type VerificationState,
} from './verification-state.ts';
import { type CheckedDomain, checkDomain, type DnsCheck } from './verify.ts';

export interface CheckDeps extends RotationDeps {
  /** Checks tracking hosts; without it they are not checked. */
  readonly tracking?: TrackingDeps;
  /** The sending addresses; null when unknown, as behind a relay. Called once per check. */
  readonly senders?: () => Promise<Senders | null>;
  readonly host: string;
  /** Where receivers send reports about a domain; absent when reports are not processed. */
  readonly reports?: ReportAddresses;
  /** The MTA-STS policy of the sending host; absent without one. */
  readonly sts?: HostSts | null;
  readonly random: () => number;
}

/** Undefined when the domain was deleted meanwhile. No transaction is open during the DNS queries. */
export async function checkAndRecord(
  deps: CheckDeps,
  row: DomainRow,
  asked: boolean,
): Promise<DomainWithKey | undefined> {
  const known = await deps.keys.ensure(deps.db, row);
  if (known === undefined) return undefined;
  const { domain, nextLookAt } = await advanceRotation(deps, known);
  const [checked, hostLookAt] = await Promise.all([askDns(deps, domain), checkHost(deps, domain)]);
  const after = await record(deps, domain, checked, { asked, nextLookAt: earlier(nextLookAt, hostLookAt) });
  return after === undefined ? undefined : { ...after, public_key: domain.public_key };
}

/** Checks the tracking host, which starts or stops the use of the host in links. Returns when to check again. */
async function checkHost(
  { db, tracking }: CheckDeps,
  { organization_id, id }: DomainRow,
): Promise<Date | null> {
  if (tracking === undefined) return null;
  const row = await findTracking(db, organization_id, id);
  return row === undefined ? null : nextHostCheckAt(tracking, await checkHostOf(tracking, row));
}

/** For read-only callers: returns the DNS results without changing the stored domain. */
export async function checkOnly(deps: CheckDeps, row: DomainRow): Promise<DomainWithKey | undefined> {
  const domain = await deps.keys.ensure(deps.db, row);
  return domain && { ...domain, checks: (await askDns(deps, domain)).checks };
}

async function askDns(deps: CheckDeps, row: DomainWithKey): Promise<CheckedDomain> {
  const { domain, selector, public_key } = row;
  const reportsTo = deps.reports?.of('dmarc', row) ?? null;
  const published = { domain, selector, publicKey: public_key, reportsTo };
  return checkDomain(deps.txtLookups(), published, deps.host, await deps.senders?.());
}

/** When another check was recorded meanwhile, this one is applied on top of its result. */
async function record(
  deps: CheckDeps,
  row: DomainRow,
  checked: CheckedDomain,
  { asked, nextLookAt }: { readonly asked: boolean; readonly nextLookAt: Date | null },
): Promise<DomainRow | undefined> {
  let before: DomainRow | undefined = row;
  while (before !== undefined) {
    const nowMs = deps.clock.nowMs();
    const context = { asked, mode: deps.mode, nowMs, random: deps.random() };
    const { after, transition } = stateAfterCheck(before, checked, context);
    const next_check_at = earlier(after.next_check_at, nextLookAt);
    // The event is recorded only when the failure begins; the log repeats it.
    const toReport = transition === 'failing' && before.failing_since !== null ? null : transition;
    const recorded = await recordAndReport(
      deps.db,
      before,
      { ...after, next_check_at },
      checked,
      toReport,
      nowMs,
    );
    if (recorded !== undefined) {
      report(deps.log, recorded, transition);
      return recorded;
    }
    before = await findDomain(deps.db, row.organization_id, row.id);
  }
  return undefined;
}

function recordAndReport(
  db: Database,
  before: DomainRow,
  after: VerificationState,
  { checks }: CheckedDomain,
  transition: DomainTransition,
  nowMs: number,
): Promise<DomainRow | undefined> {
  return db.transaction(async (tx) => {
    const row = await recordCheck(tx, before, after, checks, new Date(nowMs));
    if (row === undefined || transition === null) return row;
    const data = {
      domain_id: row.id,
      domain: row.domain,
      is_verified: row.spf_verified && row.dkim_verified,
      stops_sending_at: stopsAt(row)?.toISOString() ?? null,
      problems: wrongRecords(row).map(({ record, name, expected, message }) => ({
        record,
        name,
        expected,
        message,
      })),
    };
    const organizationId = row.organization_id;
    await appendDomainEvent(tx, { organizationId, type: TRANSITIONS[transition].type, atMs: nowMs, data });
    return row;
  });
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function report(log: Log, row: DomainRow, transition: DomainTransition): void {
  if (transition === null) return;
  const { event, level, words } = TRANSITIONS[transition];
  const facts = { event, domain: row.domain, domainId: row.id, organizationId: row.organization_id };
  const problems = level === 'warn' ? { problems: problemsOf(row), stopsAt: stopsAt(row) } : {};
  log[level]({ ...facts, ...problems }, words);
}

const TRANSITIONS = {
  verified: {
    type: 'domain.verified',
    event: 'domain_verified',
    level: 'info',
    words: 'a domain is verified',
  },
  recovered: {
    type: 'domain.recovered',
    event: 'domain_verification_recovered',
    level: 'info',
    words: 'the DNS records of a domain are right again',
  },
  failing: {
    type: 'domain.failing',
    event: 'domain_verification_failing',
    level: 'warn',
    words: 'the DNS records of a verified domain are wrong; it stops sending unless they are fixed',
  },
  unverified: {
    type: 'domain.unverified',
    event: 'domain_unverified',
    level: 'warn',
    words: 'a domain is no longer verified and cannot send',
  },
} as const satisfies Record<
  NonNullable<DomainTransition>,
  { type: DomainEventType; event: string; level: 'info' | 'warn'; words: string }
>;

/** When a domain with failing records becomes unverified and stops sending; null for other domains. */
export function stopsAt(row: Pick<DomainRow, 'failing_since'>): Date | null {
  return row.failing_since === null ? null : new Date(row.failing_since.getTime() + GRACE_MS);
}

export function problemsOf(row: Pick<DomainRow, 'checks'>): string[] {
  return wrongRecords(row).map(({ message }) => message);
}

function wrongRecords(row: Pick<DomainRow, 'checks'>): DnsCheck[] {
  return (row.checks ?? []).filter(({ status }) => status === 'fail');
}
