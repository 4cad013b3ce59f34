/** What each reason leads to, found by giving the failure policy every kind of fact there is. */

import type { RouteProblemKind } from '../../src/delivery/facts.ts';
import {
  contentGone,
  lifetimeOver,
  ourFault,
  suppressedSince,
  unrenderable,
  type Verdict,
  withdrawnSince,
} from '../../src/delivery/policy/decide.ts';
import { judge, judgeReading } from '../../src/delivery/policy/judge.ts';
import type { Outcome } from '../../src/delivery/policy/outcome.ts';
import { allEntries } from '../../src/delivery/policy/refusals/read.ts';
import { GREETING } from '../../src/delivery/policy/refusals/table.ts';
import { suppressionSignalOf } from '../../src/delivery/policy/suppression-signal.ts';
import { WITHDRAWN_BECAUSE } from '../../src/emails/states.ts';
import type { WithdrawnFor } from '../../src/emails/store-delivery.ts';
import type { LocalProblem, SmtpFacts, SmtpFailure, SmtpSession } from '../../src/protocols/smtp/facts.ts';

/** `reply`: a server refused. `trouble`: no server could be asked. `own`: Postrider or its users ended the delivery. */
export type Origin = 'reply' | 'trouble' | 'own';
type Ending = Verdict['kind'];

export interface ReasonOutcomes {
  readonly origins: ReadonlySet<Origin>;
  readonly endings: ReadonlySet<Ending>;
  /** Whether final outcomes put the address on the suppression list; `full` counts towards it. */
  readonly suppress: 'always' | 'sometimes' | 'never' | 'full';
}

interface Seen {
  readonly origin: Origin;
  readonly reason: string;
  readonly ending: Ending;
  readonly suppress: 'hard_bounce' | 'mailbox_full' | null;
}

export function outcomesByReason(): ReadonlyMap<string, ReasonOutcomes> {
  const all = [...ofReplies(), ...ofTrouble(), ...ofOurs()];
  const reasons = [...new Set(all.map(({ reason }) => reason))];
  return new Map(reasons.map((reason) => [reason, summary(all.filter((one) => one.reason === reason))]));
}

function summary(seen: readonly Seen[]): ReasonOutcomes {
  const bounced = seen.filter(({ ending }) => ending === 'bounced');
  const isSuppressed = (one: Seen) => one.suppress === 'hard_bounce';
  const suppress = seen.some((one) => one.suppress === 'mailbox_full')
    ? 'full'
    : !bounced.some(isSuppressed)
      ? 'never'
      : bounced.every(isSuppressed)
        ? 'always'
        : 'sometimes';
  return {
    origins: new Set(seen.map(({ origin }) => origin)),
    endings: new Set(seen.map(({ ending }) => ending)),
    suppress,
  };
}

function seenIn(origin: Origin, outcome: Outcome): Seen {
  const { kind, reason } = outcome;
  const verdict = { kind } as Verdict;
  const signal = suppressionSignalOf(outcome, verdict, false);
  const suppress = signal === 'hard_bounce' || signal === 'mailbox_full' ? signal : null;
  return { origin, reason, ending: kind, suppress };
}

/** Every rule about replies, with the kinds of codes that it is about. */
function ofReplies(): Seen[] {
  return allEntries().flatMap((entry) => {
    const codes = entry.codes ?? [
      ...(entry.permanent === true ? [] : [450]),
      ...(entry.permanent === false ? [] : [550]),
    ];
    const phase = entry.phases?.find((one) => !GREETING.includes(one)) ?? 'rcpt';
    return codes.map((code) => {
      const reply = { code, enhanced: null, text: '' };
      return seenIn('reply', judgeReading({ phase, host: 'mx.example', reply }, { entry, passing: false }));
    });
  });
}

const SESSION: SmtpSession = {
  ...{ host: 'mx.example', address: '192.0.2.1', port: 25 },
  ...{ tls: null, reused: false, transcript: [] },
};

const FAILURES: Readonly<Record<SmtpFailure, true>> = {
  timeout: true,
  closed: true,
  reset: true,
  refused: true,
  unreachable: true,
  no_source: true,
  tls: true,
  certificate: true,
  garbage: true,
  injection: true,
  stopped: true,
};
const LOCAL_PROBLEMS: Readonly<Record<LocalProblem, true>> = {
  too_large: true,
  smtputf8_unsupported: true,
  starttls_not_offered: true,
  requiretls_not_offered: true,
  server_unproven: true,
  server_proof_unknown: true,
  auth_not_offered: true,
  auth_needs_tls: true,
};
const ROUTE_PROBLEMS: Readonly<Record<RouteProblemKind, true>> = {
  nxdomain: true,
  null_mx: true,
  no_addresses: true,
  dns_unavailable: true,
  private_destination: true,
  mta_sts_failed: true,
  no_route: true,
};
const POLICIES = ['opportunistic', 'dane', 'mta_sts'] as const;
/** The first attempt, and one so late that waiting for DNS is over. */
const ATTEMPTS = [1, 100];

function ofTrouble(): Seen[] {
  const conversations: SmtpFacts[] = [
    ...keysOf(FAILURES).flatMap((failure) =>
      [false, true].map((afterDot) => {
        const broken = { kind: 'broken', phase: 'dot', failure, detail: '', afterDot } as const;
        return { ...SESSION, ...broken };
      }),
    ),
    ...keysOf(LOCAL_PROBLEMS).map((problem) => ({ ...SESSION, kind: 'local', problem, detail: '' }) as const),
  ];
  const judged = POLICIES.flatMap((tlsPolicy) =>
    (['optional', 'required'] as const).flatMap((messageTls) =>
      conversations.map((facts) => judge(facts, { attempt: 1, tlsPolicy, messageTls })),
    ),
  );
  const routes = keysOf(ROUTE_PROBLEMS).flatMap((problem) =>
    ATTEMPTS.map((attempt) => judge({ kind: 'unroutable', problem, detail: '' }, { attempt })),
  );
  return [...judged, ...routes].map((outcome) => seenIn('trouble', outcome));
}

const WITHDRAWN_FOR: Readonly<Record<WithdrawnFor, true>> = {
  domain_removed: true,
  domain_unverified: true,
  key_revoked: true,
  superseded: true,
  flood_collapsed: true,
};

function ofOurs(): Seen[] {
  const retry = { speed: 1, random: () => 0 };
  const first = { attempt: 1, expiresAtMs: Number.MAX_SAFE_INTEGER } as Parameters<typeof ourFault>[0];
  const verdicts: readonly Pick<Verdict, 'kind' | 'reason'>[] = [
    lifetimeOver(),
    suppressedSince(),
    contentGone(),
    unrenderable(),
    ourFault(first, 0, retry),
    ...keysOf(WITHDRAWN_FOR).map(withdrawnSince),
    ...WITHDRAWN_BECAUSE.map((reason) => ({ kind: 'rejected', reason }) as const),
  ];
  return verdicts.map(({ kind, reason }) => ({
    ...{ origin: 'own', ending: kind, suppress: null },
    reason: reason ?? '',
  }));
}

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[];
}
