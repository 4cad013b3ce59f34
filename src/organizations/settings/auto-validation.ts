/**
 * Validation at send time: whether an organization wants it, and which recipients it keeps out.
 *
 * The setting is asked for on every send, so it is remembered for a moment; a change takes effect everywhere within
 * that moment. Where it is off, that is all it costs.
 */
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { type ValidationDeps, type ValidationResult, validateAddresses } from '../../validation/service.ts';
import { autoValidationOf } from '../store.ts';

export const THRESHOLDS = ['off', 'high', 'medium'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** Refused strictly above. */
const REFUSED_ABOVE: Readonly<Record<Exclude<Threshold, 'off'>, number>> = { high: 0.7, medium: 0.3 };
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;
/** No send may take a second longer because of it; what DNS has not said by then does not count. */
const DNS_BUDGET_MS = 800;

export interface RefusedRecipient {
  readonly email: string;
  readonly score: number;
  readonly reason: string;
}

export class AutoValidation {
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #validation: ValidationDeps;
  readonly #remembered = new Map<string, { readonly threshold: Threshold; readonly untilMs: number }>();

  constructor(deps: { readonly db: Sql; readonly clock: Clock; readonly validation: ValidationDeps }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    // Suppressed addresses are refused by the suppression list, with its own error; one that was taken off it may be mailed.
    this.#validation = { ...deps.validation, pastTroubles: async () => new Map() };
  }

  /** Those of the addresses that the organization does not want to mail. */
  async refusedAmong(organizationId: string, addresses: readonly string[]): Promise<RefusedRecipient[]> {
    const threshold = await this.thresholdOf(organizationId);
    if (threshold === 'off' || addresses.length === 0) return [];
    const results = await validateAddresses(this.#validation, organizationId, addresses, {
      budgetMs: DNS_BUDGET_MS,
    });
    return results.filter((result) => isRefused(result, threshold)).map(toRefused);
  }

  async thresholdOf(organizationId: string): Promise<Threshold> {
    const nowMs = this.#clock.nowMs();
    const known = this.#remembered.get(organizationId);
    if (known && known.untilMs > nowMs) return known.threshold;
    const threshold = await autoValidationOf(this.#db, organizationId);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(organizationId, { threshold, untilMs: nowMs + REMEMBERED_MS });
    return threshold;
  }

  /** After a change through this process, so that its caller sees it at once. */
  forget(organizationId: string): void {
    this.#remembered.delete(organizationId);
  }
}

/** DNS that did not answer is a doubt, and doubt alone never refuses anybody. */
export function isRefused(
  { scoreWithoutDnsDoubt }: Pick<ValidationResult, 'scoreWithoutDnsDoubt'>,
  threshold: Exclude<Threshold, 'off'>,
): boolean {
  return scoreWithoutDnsDoubt > REFUSED_ABOVE[threshold];
}

function toRefused({ email, scoreWithoutDnsDoubt, signals }: ValidationResult): RefusedRecipient {
  const reasons = signals.filter((signal) => signal !== 'dns_unknown');
  return { email, score: scoreWithoutDnsDoubt, reason: reasons.join(', ').replaceAll('_', ' ') };
}
