/**
 * Computes the risk score. One table contains all weights.
 *
 * Hard evidence sets a floor. Soft signals combine as independent doubts (`1 - (1-a)(1-b)…`) and stay below SOFT_CAP,
 * so that "undeliverable" always requires hard evidence.
 */

type Weight = { readonly kind: 'floor' | 'soft'; readonly weight: number; readonly check: CheckName };

type CheckName =
  | 'syntax'
  | 'mx'
  | 'dns'
  | 'disposable'
  | 'role'
  | 'typo'
  | 'free_provider'
  | 'random'
  | 'history';

export const WEIGHTS = {
  malformed_address: { kind: 'floor', weight: 1.0, check: 'syntax' },
  quoted_local_part: { kind: 'soft', weight: 0.35, check: 'syntax' },
  address_literal: { kind: 'soft', weight: 0.6, check: 'syntax' },
  smtputf8_required: { kind: 'soft', weight: 0.1, check: 'syntax' },
  mixed_scripts: { kind: 'soft', weight: 0.45, check: 'syntax' },
  lookalike_domain: { kind: 'soft', weight: 0.45, check: 'syntax' },
  mapped_domain: { kind: 'soft', weight: 0.1, check: 'syntax' },

  domain_not_found: { kind: 'floor', weight: 0.95, check: 'mx' },
  null_mx: { kind: 'floor', weight: 0.95, check: 'mx' },
  special_use_domain: { kind: 'floor', weight: 0.95, check: 'mx' },
  no_mail_host: { kind: 'floor', weight: 0.9, check: 'mx' },
  unroutable_mx: { kind: 'floor', weight: 0.85, check: 'mx' },
  implicit_mx: { kind: 'soft', weight: 0.4, check: 'mx' },
  dns_unknown: { kind: 'soft', weight: 0.2, check: 'mx' },

  disposable_domain: { kind: 'soft', weight: 0.65, check: 'disposable' },
  suspected_disposable: { kind: 'soft', weight: 0.35, check: 'disposable' },
  relay_domain: { kind: 'soft', weight: 0.15, check: 'disposable' },

  role_address: { kind: 'soft', weight: 0.15, check: 'role' },
  unread_address: { kind: 'soft', weight: 0.4, check: 'role' },

  known_typo: { kind: 'floor', weight: 0.75, check: 'typo' },
  unknown_tld: { kind: 'floor', weight: 0.75, check: 'typo' },
  likely_typo: { kind: 'soft', weight: 0.4, check: 'typo' },

  random_local_part: { kind: 'soft', weight: 0.15, check: 'random' },
  very_random_local_part: { kind: 'soft', weight: 0.3, check: 'random' },

  hard_bounced: { kind: 'floor', weight: 0.9, check: 'history' },
  suppressed: { kind: 'floor', weight: 0.95, check: 'history' },
} as const satisfies Record<string, Weight>;

export type SignalName = keyof typeof WEIGHTS;

export const VALIDATION_VERDICTS = ['deliverable', 'risky', 'undeliverable'] as const;
export type ValidationVerdict = (typeof VALIDATION_VERDICTS)[number];

const RISKY_FROM = 0.3;
const UNDELIVERABLE_FROM = 0.7;
const SOFT_CAP = 0.69;

/** Two decimals. The verdict and other comparisons use this rounded number, so that they are consistent. */
export function riskScore(signals: Iterable<SignalName>): number {
  let floor = 0;
  let trust = 1;
  for (const signal of new Set(signals)) {
    const { kind, weight } = WEIGHTS[signal];
    if (kind === 'floor') floor = Math.max(floor, weight);
    else trust *= 1 - weight;
  }
  return roundHalfUp(Math.max(floor, Math.min(SOFT_CAP, 1 - trust)));
}

export function verdictOf(score: number): ValidationVerdict {
  if (score >= UNDELIVERABLE_FROM) return 'undeliverable';
  return score >= RISKY_FROM ? 'risky' : 'deliverable';
}

/** The addition corrects binary rounding: 1 - 0.85 * 0.83 is 0.29449999…, and 0.295 must become 0.30. */
function roundHalfUp(score: number): number {
  return Math.round((score + 1e-9) * 100) / 100;
}
