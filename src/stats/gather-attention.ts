/** Gathers the facts about an organization and derives its attention items and the state of its queue. */

import { usedOn } from '../counters/daily-usage.ts';
import { countQueued } from '../counters/email-counts.ts';
import type { Sql } from '../database/sql.ts';
import { findOwnKeyFor } from '../domains/own-dkim/own-signer.ts';
import { ownFailuresOf } from '../domains/reports/figures.ts';
import { SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import { listSendingHosts } from '../domains/sending-host/store.ts';
import { listDomains } from '../domains/store.ts';
import { trackingOfDomains } from '../domains/tracking/store.ts';
import { recentFindings } from '../interventions/holds/guard-findings.ts';
import { holdsAffecting } from '../interventions/holds/store.ts';
import { findOrganization, firstOrganization } from '../organizations/store.ts';
import { type DueMail, dueOf, isAnyClaimed, MAX_DUE_COUNTED } from '../outbox/status.ts';
import { countRefusedSince } from '../request-logs/store.ts';
import { type RolledBackShare, readRolledBackShares } from '../routing/canary/rolled-back-shares.ts';
import { readWarmUpTurns, type WarmUpTurn } from '../routing/warm-up-turns.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { DAY_MS, HOUR_MS } from '../runtime/durations.ts';
import type { SiteView, SiteViews } from '../sites/site-view.ts';
import { listEndpoints } from '../webhooks/endpoints/store.ts';
import { attentionOf } from './attention-items.ts';
import { overviewOf } from './overview.ts';

/** A week, because receivers report a day late. */
const REPORTED_MS = 7 * DAY_MS;

export interface AttentionDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'mode' | 'dkimDomain' | 'hostname' | 'sendingAddresses'>;
  readonly board: Pick<SiteViews, 'ofOrganization' | 'isWorkerRunning'>;
}

export async function attentionItems(
  { clock, config, board }: AttentionDeps,
  db: Sql,
  organizationId: string,
) {
  const nowMs = clock.nowMs();
  const [domains, webhooks, limit, due, queued, week, sender, sites, workers, held, refused, reported] =
    await Promise.all([
      listDomains(db, organizationId),
      listEndpoints(db, organizationId),
      sendingLimit(db, organizationId, nowMs),
      dueOf(db, organizationId, nowMs),
      countQueued(db, organizationId),
      overviewOf(db, organizationId, { range: '7d' }, nowMs),
      senderOf(db, config, organizationId, nowMs),
      board.ofOrganization(db, organizationId),
      workerState(db, board),
      heldMail(db, organizationId, nowMs),
      countRefusedSince(db, organizationId, nowMs - HOUR_MS),
      ownFailuresOf(db, organizationId, nowMs - REPORTED_MS, config),
    ]);
  const items = attentionOf({
    nowMs,
    ...sender,
    domains: domains.filter(({ domain }) => config.mode === 'sandbox' || domain !== SANDBOX_DOMAIN),
    webhooks,
    ...limit,
    ...waitingWhere(sites, due, workers.isWorkerRunning),
    ...workers,
    ...held,
    lastDays: week.totals,
    refused,
    reported,
  });
  return { queue: queueView(due, queued, nowMs), items };
}

async function workerState(db: Sql, board: AttentionDeps['board']) {
  const [isWorkerRunning, claimed] = await Promise.all([board.isWorkerRunning(db), isAnyClaimed(db)]);
  return { isWorkerRunning, isAnyClaimed: claimed };
}

async function heldMail(db: Sql, organizationId: string, nowMs: number) {
  const [holds, guardFindings] = await Promise.all([
    holdsAffecting(db, organizationId),
    recentFindings(db, organizationId, nowMs),
  ]);
  return { holds, guardFindings };
}

async function sendingLimit(db: Sql, organizationId: string, nowMs: number) {
  const [organization, usedToday] = await Promise.all([
    findOrganization(db, organizationId),
    usedOn(db, organizationId, nowMs),
  ]);
  return { dailyLimit: organization?.daily_limit ?? 0, usedToday };
}

/** Facts about the installation itself; most of them only exist in live mode. */
async function senderOf(db: Sql, config: AttentionDeps['config'], organizationId: string, nowMs: number) {
  const [sender, rolledBack] = await Promise.all([
    config.mode === 'live' ? liveSender(db, config, organizationId, nowMs) : NO_SENDER,
    rolledBackFor(db, organizationId),
  ]);
  return { ...sender, rolledBack };
}

/** Checks of the installation's DNS and of tracking hosts. */
async function liveSender(
  db: Sql,
  { dkimDomain }: AttentionDeps['config'],
  organizationId: string,
  nowMs: number,
) {
  const [sendingHosts, ownKey, warmUps, tracking] = await Promise.all([
    listSendingHosts(db),
    dkimDomain === undefined ? null : findOwnKeyFor(db, dkimDomain, organizationId),
    warmUpsFor(db, organizationId, nowMs),
    trackingOfDomains(db, organizationId),
  ]);
  return { sendingHosts, ownKey, warmUps, trackingHosts: [...tracking.values()] };
}

/** Empty except for the organization that operates the installation and owns its addresses. */
async function warmUpsFor(db: Sql, organizationId: string, nowMs: number): Promise<readonly WarmUpTurn[]> {
  return (await isOfOperators(db, organizationId)) ? readWarmUpTurns(db, nowMs) : [];
}

async function rolledBackFor(db: Sql, organizationId: string): Promise<readonly RolledBackShare[]> {
  return (await isOfOperators(db, organizationId)) ? readRolledBackShares(db) : [];
}

async function isOfOperators(db: Sql, organizationId: string): Promise<boolean> {
  return (await firstOrganization(db))?.id === organizationId;
}

const NO_SENDER = { sendingHosts: [], ownKey: null, warmUps: [], trackingHosts: [] };

/**
 * Mail held up by a site is reported with the site. All other mail, including mail that no worker has seen yet, waits
 * for workers.
 */
function waitingWhere(sites: readonly SiteView[], { oldestDueAt }: DueMail, isWorkerRunning: boolean) {
  const heldUp = isWorkerRunning ? sites.filter(({ state, due }) => state !== 'open' && due > 0) : [];
  if (heldUp.length === 0) return { heldUp, oldestDueAt };
  const open = sites
    .filter((one) => !heldUp.includes(one))
    .map(({ oldest_due_at }) => oldest_due_at?.getTime());
  const oldestMs = Math.min(...open.map((ms) => ms ?? Number.POSITIVE_INFINITY));
  return { heldUp, oldestDueAt: Number.isFinite(oldestMs) ? new Date(oldestMs) : null };
}

function queueView({ due, oldestDueAt }: DueMail, queued: number, nowMs: number) {
  return {
    queued_emails: queued,
    due,
    due_capped: due >= MAX_DUE_COUNTED,
    oldest_due_at: oldestDueAt,
    oldest_due_seconds: oldestDueAt && Math.max(0, Math.floor((nowMs - oldestDueAt.getTime()) / 1000)),
  };
}
