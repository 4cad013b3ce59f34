/** Derives the list of attention items from facts, most severe first. Pure. */
import { signingSentence, signingStateOf } from '../domains/own-dkim/own-signer.ts';
import { OWN_FAILING_SHARE } from '../domains/reports/advice.ts';
import { rollbackSentence } from '../routing/canary/rolled-back-shares.ts';
import { turnSentence } from '../routing/warm-up-turns.ts';
import { MINUTE_MS, SECOND_MS } from '../runtime/durations.ts';
import {
  type AttentionFacts,
  type AttentionItem,
  SEVERITIES,
  type TrackingHostCheck,
} from './attention-facts.ts';
import { ratesOf } from './overview.ts';

/** Normally, due mail is claimed within seconds. */
export const NO_WORKER_MS = 10 * SECOND_MS;
/** A running worker looks for mail several times a second. */
export const IDLE_WORKERS_MS = 15 * SECOND_MS;
const QUEUE_SLOW_MS = 5 * MINUTE_MS;
const QUEUE_STUCK_MS = 30 * MINUTE_MS;
/** After two failed attempts, with the third minutes away, so that the notice is sent within five minutes. */
const WEBHOOK_FAILING_MS = 2 * MINUTE_MS;
const LIMIT_NEAR = 0.8;
/** Rates of fewer mails say nothing about a sender. */
const LEAST_JUDGED = 100;
const BOUNCES = { warning: 0.02, critical: 0.05 };
const COMPLAINTS = { warning: 0.001, critical: 0.003 };

export function attentionOf(facts: AttentionFacts): AttentionItem[] {
  const items = [
    ...aboutHosts(facts),
    ...aboutOwnKey(facts),
    ...aboutDomains(facts),
    ...aboutWebhooks(facts),
    ...aboutSending(facts),
    ...aboutQueue(facts),
    ...aboutSites(facts),
    ...aboutHolds(facts),
    ...aboutGuard(facts),
    ...aboutWarmUps(facts),
    ...aboutCanaries(facts),
    ...aboutRates(facts),
    ...aboutReports(facts),
    ...aboutTrackingHosts(facts),
    ...aboutRefused(facts),
  ];
  return items.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** Problems of the installation's DNS, which affect everybody's mail and which only the operator can fix. */
function aboutHosts({ sendingHosts }: AttentionFacts): AttentionItem[] {
  return sendingHosts.flatMap(({ host: name, findings }) =>
    findings
      .filter(({ status }) => status === 'fail' || status === 'warn')
      .map(({ about, status, message }): AttentionItem => {
        const kind = about === 'public_url' ? 'tracking_off' : 'sending_host';
        return { kind, severity: status === 'fail' ? 'critical' : 'warning', id: null, name, message };
      }),
  );
}

/** Mail is delivered regardless; only the signature by which receivers attribute complaints is missing. */
function aboutOwnKey({ ownKey }: AttentionFacts): AttentionItem[] {
  if (ownKey?.last_check?.status !== 'fail') return [];
  const severity = signingStateOf(ownKey) === 'ending' ? 'warning' : 'info';
  const message = `${signingSentence(ownKey)} ${ownKey.last_check.message} \`npx postrider dkim\` shows the record.`;
  return [{ kind: 'sending_host', severity, id: null, name: ownKey.domain, message }];
}

function aboutDomains({ domains }: AttentionFacts): AttentionItem[] {
  const isVerified = (one: (typeof domains)[number]) => one.spf_verified && one.dkim_verified;
  const each = domains.flatMap((one): AttentionItem[] => {
    const about = { id: one.id, name: one.domain };
    if (one.failing_since !== null && isVerified(one)) {
      const message = `The DNS records of ${one.domain} are wrong; it stops sending 72 hours after that began.`;
      return [{ ...about, kind: 'domain_failing', severity: 'critical', message }];
    }
    if (isVerified(one)) return [];
    const message = `${one.domain} is not verified, so nothing can be sent from this domain.`;
    return [{ ...about, kind: 'domain_unverified', severity: 'warning', message }];
  });
  if (domains.some(isVerified)) return each;
  const message = 'No domain is verified, so nothing can be sent yet. Add one and publish its DNS records.';
  return [{ ...WHOLE, kind: 'no_verified_domain', severity: 'critical', message }, ...each];
}

function aboutWebhooks({ webhooks, nowMs }: AttentionFacts): AttentionItem[] {
  return webhooks.flatMap((one): AttentionItem[] => {
    const about = { id: one.id, name: one.url };
    if (!one.enabled) {
      if (one.disabled_reason === 'manual') return [];
      const why = one.disabled_reason === 'gone' ? 'it answered 410' : 'all calls failed for days';
      const message = `The webhook ${one.url} was disabled: ${why}.`;
      return [{ ...about, kind: 'webhook_disabled', severity: 'warning', message }];
    }
    const failingMs = waitedSince(one.failing_since, nowMs);
    if (failingMs < WEBHOOK_FAILING_MS) return [];
    const error = one.last_error === null ? '' : `: ${one.last_error}`;
    const message = `Calls to the webhook ${one.url} have failed for ${spanOf(failingMs)}${error}.`;
    return [{ ...about, kind: 'webhook_failing', severity: 'warning', message }];
  });
}

function aboutSending({ dailyLimit, usedToday }: AttentionFacts): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (dailyLimit > 0 && usedToday >= dailyLimit) {
    const message = `The sending limit of ${dailyLimit} recipients is reached until midnight UTC.`;
    items.push({ ...WHOLE, kind: 'sending_limit_reached', severity: 'critical', message });
  } else if (dailyLimit > 0 && usedToday >= dailyLimit * LIMIT_NEAR) {
    const message = `${usedToday} of ${dailyLimit} recipients of today's sending limit are used.`;
    items.push({ ...WHOLE, kind: 'sending_limit_near', severity: 'warning', message });
  }
  return items;
}

/** While all mail is held, the hold explains the delay. */
function aboutQueue(facts: AttentionFacts): AttentionItem[] {
  const { oldestDueAt, isWorkerRunning, isAnyClaimed, holds, nowMs } = facts;
  if (oldestDueAt === null || holds.some(({ scope }) => scope === 'all')) return [];
  const waitedMs = waitedSince(oldestDueAt, nowMs);
  if (!isWorkerRunning && waitedMs >= NO_WORKER_MS) return [noDelivery(waitedMs, NO_WORKER)];
  if (!isAnyClaimed && waitedMs >= IDLE_WORKERS_MS) return [noDelivery(waitedMs, IDLE_WORKERS)];
  if (waitedMs < QUEUE_SLOW_MS) return [];
  const severity = waitedMs >= QUEUE_STUCK_MS ? 'critical' : 'warning';
  const message = `Mail has been due for ${spanOf(waitedMs)}: the running workers cannot keep up.`;
  return [{ ...WHOLE, kind: 'queue_delayed', severity, message }];
}

const NO_WORKER = 'no worker is running, so nothing is sent';
const IDLE_WORKERS = 'workers are running, but no worker takes this mail; see the log of the workers';

function noDelivery(waitedMs: number, why: string): AttentionItem {
  const message = `Mail has been due for ${spanOf(waitedMs)}, and no worker delivers it: ${why}.`;
  return { ...WHOLE, kind: 'nobody_delivers', severity: 'critical', message };
}

function aboutSites({ heldUp, nowMs }: AttentionFacts): AttentionItem[] {
  return heldUp.flatMap((site): AttentionItem[] => {
    const waitedMs = waitedSince(site.oldest_due_at, nowMs);
    if (waitedMs < QUEUE_SLOW_MS) return [];
    const severity = waitedMs >= QUEUE_STUCK_MS ? 'warning' : 'info';
    const emails = site.due === 1 ? '1 email has' : `${site.due.toLocaleString('en')} emails have`;
    const cause = site.reply === null ? '' : ` Its reply: "${site.reply}".`;
    const message = `${emails} waited for ${site.name} for up to ${spanOf(waitedMs)}. ${site.message}${cause}`;
    return [{ id: site.id, name: site.name, kind: 'site_waiting', severity, message }];
  });
}

/** A hold may be intended but forgotten. */
function aboutHolds({ holds }: AttentionFacts): AttentionItem[] {
  return holds.map(({ id, scope, value, reason, by_operator, placed_at }): AttentionItem => {
    const what =
      value === null
        ? HELD[scope]
        : scope === 'recipient'
          ? `Mail to ${value}`
          : `Mail ${HELD_BY[scope] ?? scope} ${value}`;
    const isGuards = scope === 'lane' || scope === 'recipient';
    const who = by_operator ? ' by the operator' : isGuards ? ' by the guard' : '';
    const since = `${placed_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const message = `${what} has been held${who} since ${since}: ${reason}`;
    return { id, name: value, kind: 'mail_held', severity: 'warning', message };
  });
}

function aboutGuard({ guardFindings }: AttentionFacts): AttentionItem[] {
  return guardFindings.map(({ id, scope, value, reason, outcome }): AttentionItem => {
    const about = { id, name: value };
    const what = scope === 'recipient' ? `Mail to ${value}` : `Mail of the lane ${value}`;
    if (outcome === 'slowed')
      return { ...about, kind: 'mail_slowed', severity: 'warning', message: `${what}: ${reason}` };
    const message = `${what} was not held or slowed: in the first 24 hours the guard only watches. ${reason}`;
    return { ...about, kind: 'guard_watched', severity: 'info', message };
  });
}

/** A reduced limit is a warning; a finished warm-up is information. */
function aboutWarmUps({ warmUps }: AttentionFacts): AttentionItem[] {
  return warmUps.map((turn): AttentionItem => {
    const about = { id: null, name: `${turn.address} to ${turn.provider}`, message: turnSentence(turn) };
    if (turn.kind === 'done') return { ...about, kind: 'warm_up_done', severity: 'info' };
    return { ...about, kind: 'warm_up_bent', severity: 'warning' };
  });
}

/** No mail is lost: it is sent by its usual route again. */
function aboutCanaries({ rolledBack }: AttentionFacts): AttentionItem[] {
  return rolledBack.map((share): AttentionItem => {
    const name = `${share.canary} to ${share.provider}`;
    return { id: null, name, kind: 'canary_fallen', severity: 'warning', message: rollbackSentence(share) };
  });
}

const HELD_BY: Readonly<Record<string, string>> = {
  domain: 'from the domain',
  template: 'of the template',
  tag: 'with the tag',
  key: 'of the API key',
  provider: 'to the provider',
  lane: 'of the lane',
};

const HELD: Readonly<Record<string, string>> = {
  all: 'All mail of this installation',
  organization: 'All mail of this organization',
};

function waitedSince(dueAt: Date | null, nowMs: number): number {
  return dueAt === null ? 0 : nowMs - dueAt.getTime();
}

function spanOf(ms: number): string {
  return ms < 2 * MINUTE_MS
    ? `${Math.floor(ms / SECOND_MS)} seconds`
    : `${Math.floor(ms / MINUTE_MS)} minutes`;
}

function aboutRates({ lastDays }: AttentionFacts): AttentionItem[] {
  const { bounced, complained } = ratesOf(lastDays);
  const items: AttentionItem[] = [];
  if (bounced !== null && bounced > BOUNCES.warning && lastDays.sent - lastDays.queued >= LEAST_JUDGED) {
    const message = `${percent(bounced)} of the last 7 days' mail bounced; providers object from 2% on.`;
    const severity = bounced > BOUNCES.critical ? 'critical' : 'warning';
    items.push({ ...WHOLE, kind: 'bounce_rate_high', severity, message });
  }
  if (complained !== null && complained > COMPLAINTS.warning && lastDays.delivered >= LEAST_JUDGED) {
    const message = `${percent(complained)} of the last 7 days' mail was reported as spam; providers object from 0.1% on.`;
    const severity = complained > COMPLAINTS.critical ? 'critical' : 'warning';
    items.push({ ...WHOLE, kind: 'complaint_rate_high', severity, message });
  }
  return items;
}

/** Mail of ours that is not aligned with the domain: it goes to spam or is refused as soon as the policy requires. */
function aboutReports({ reported, domains }: AttentionFacts): AttentionItem[] {
  return reported.flatMap(({ domain_id: id, messages, failed }): AttentionItem[] => {
    const name = domains.find((one) => one.id === id)?.domain;
    if (name === undefined || messages < LEAST_JUDGED || failed / messages <= OWN_FAILING_SHARE) return [];
    const share = percent(failed / messages);
    const message = `Receivers report that ${share} of this installation's mail from ${name} in the last 7 days failed both DKIM and SPF; see the reports of the domain.`;
    return [{ id, name, kind: 'reports_failing', severity: 'warning', message }];
  });
}

function aboutTrackingHosts({ trackingHosts, domains }: AttentionFacts): AttentionItem[] {
  return unusableHosts(trackingHosts, domains).map((about) => ({
    kind: 'domain_tracking_host',
    severity: 'warning',
    ...about,
  }));
}

/** The maximum number of items about refused requests; the request log contains all. */
const REFUSALS_NAMED = 3;

function aboutRefused({ refused }: AttentionFacts): AttentionItem[] {
  return refused.slice(0, REFUSALS_NAMED).map(({ code, count }): AttentionItem => {
    const requests = count === 1 ? '1 request was' : `${count.toLocaleString('en')} requests were`;
    const message = `${requests} refused in the last hour: ${WHY_REFUSED[code] ?? code}.`;
    const severity = EXPECTED.has(code) ? 'info' : 'warning';
    return { id: code, name: null, kind: 'requests_refused', severity, message };
  });
}

/** Intended refusals, which protect the sender. */
const EXPECTED: ReadonlySet<string> = new Set(['RECIPIENTS_SUPPRESSED', 'RECIPIENTS_REJECTED']);

const WHY_REFUSED: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'not valid',
  DOMAIN_NOT_VERIFIED: "the sender's domain is not verified",
  RECIPIENTS_SUPPRESSED: 'a recipient is on the suppression list',
  RECIPIENTS_REJECTED: 'automatic validation rejected a recipient',
  FORBIDDEN: 'the API key may not do this',
  NOT_FOUND: 'what they named does not exist',
  METHOD_NOT_ALLOWED: 'the path does not support the method',
  CONFLICT: 'the current state did not allow it',
  IDEMPOTENCY_CONFLICT: 'an Idempotency-Key was used for another request',
  PAYLOAD_TOO_LARGE: 'the body was too large',
  UNSUPPORTED_MEDIA_TYPE: 'the body was not JSON',
  LIMIT_EXCEEDED: 'the sending limit is reached',
  RATE_LIMITED: 'too many requests',
  INTERNAL_ERROR: 'something went wrong on our side',
  UNAVAILABLE: 'the server could not answer at that moment',
};

const WHOLE = { id: null, name: null } as const;

function percent(rate: number): string {
  return `${(rate * 100).toFixed(rate < 0.01 ? 2 : 1)}%`;
}

interface Named {
  readonly id: string;
  readonly domain: string;
  readonly spf_verified: boolean;
  readonly dkim_verified: boolean;
}

/** Skips unverified domains, which have a more important item. */
function unusableHosts(
  looks: readonly TrackingHostCheck[],
  domains: readonly Named[],
): { readonly id: string; readonly name: string; readonly message: string }[] {
  return looks.flatMap(({ domain_id: id, host, host_check: check }) => {
    const domain = domains.find((one) => one.id === id);
    if (host === null || check?.status !== 'fail') return [];
    if (!domain?.spf_verified || !domain.dkim_verified) return [];
    const message = `Links in mail from ${domain.domain} are not on ${host}. ${check.message}`;
    return [{ id, name: domain.domain, message }];
  });
}
