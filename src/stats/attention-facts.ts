import type { OwnKeyState } from '../domains/own-dkim/own-signer.ts';
import type { OwnFailures } from '../domains/reports/figures.ts';
import type { SendingHost } from '../domains/sending-host/store.ts';
import type { DomainTrackingRow } from '../domains/tracking/store.ts';
import type { RecentFinding } from '../interventions/holds/guard-findings.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import type { RefusedCount } from '../request-logs/store.ts';
import type { RolledBackShare } from '../routing/canary/rolled-back-shares.ts';
import type { WarmUpTurn } from '../routing/warm-up-turns.ts';
import type { SiteView } from '../sites/site-view.ts';
import type { Counts } from './overview.ts';

/** The facts from which attention items are derived, and the items. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const KINDS = [
  'sending_host',
  'tracking_off',
  'domain_unverified',
  'domain_failing',
  'domain_tracking_host',
  'no_verified_domain',
  'webhook_disabled',
  'webhook_failing',
  'sending_limit_near',
  'sending_limit_reached',
  'nobody_delivers',
  'queue_delayed',
  'site_waiting',
  'mail_held',
  'mail_slowed',
  'guard_watched',
  'warm_up_bent',
  'warm_up_done',
  'canary_fallen',
  'bounce_rate_high',
  'complaint_rate_high',
  'reports_failing',
  'requests_refused',
] as const;

export interface AttentionItem {
  readonly kind: (typeof KINDS)[number];
  readonly severity: Severity;
  readonly id: string | null;
  readonly name: string | null;
  readonly message: string;
}

export interface AttentionFacts {
  readonly nowMs: number;
  readonly domains: readonly {
    readonly id: string;
    readonly domain: string;
    readonly spf_verified: boolean;
    readonly dkim_verified: boolean;
    readonly failing_since: Date | null;
  }[];
  readonly webhooks: readonly {
    readonly id: string;
    readonly url: string;
    readonly enabled: boolean;
    readonly disabled_reason: string | null;
    readonly failing_since: Date | null;
    readonly last_error: string | null;
  }[];
  /** The sending hosts and the problems of their DNS. */
  readonly sendingHosts: readonly SendingHost[];
  /** The key of the installation's own signing domain; null for organizations that do not operate the installation. */
  readonly ownKey: OwnKeyState | null;
  /** 0 means no limit. */
  readonly dailyLimit: number;
  readonly usedToday: number;
  /** Ignores mail held up by a site. */
  readonly oldestDueAt: Date | null;
  readonly isWorkerRunning: boolean;
  /** Whether any worker has claimed mail of any organization. */
  readonly isAnyClaimed: boolean;
  /** Sites that hold up due mail of this organization. */
  readonly heldUp: readonly Pick<
    SiteView,
    'id' | 'name' | 'state' | 'message' | 'reply' | 'due' | 'oldest_due_at'
  >[];
  /** Receivers' reports about this installation's mail of the last 7 days, by domain. */
  readonly reported: readonly OwnFailures[];
  readonly trackingHosts: readonly TrackingHostCheck[];
  /** Holds that stop mail of this organization. */
  readonly holds: readonly Pick<HoldRow, 'id' | 'scope' | 'value' | 'reason' | 'by_operator' | 'placed_at'>[];
  /** Findings of the guard of the last day for which no mail was held. */
  readonly guardFindings: readonly RecentFinding[];
  /** Warm-up of the installation's addresses; empty for organizations that do not operate the installation. */
  readonly warmUps: readonly WarmUpTurn[];
  /** Rolled-back canaries of the installation; empty for organizations that do not operate it. */
  readonly rolledBack: readonly RolledBackShare[];
  readonly lastDays: Counts;
  /** Requests refused in the last hour by reason, most frequent first. */
  readonly refused: readonly RefusedCount[];
}

/**
 * Finds configured tracking hosts that cannot be used. Links silently use another host meanwhile, so this item is the
 * only hint. Pure.
 */
export type TrackingHostCheck = Pick<DomainTrackingRow, 'domain_id' | 'host' | 'host_check'>;
