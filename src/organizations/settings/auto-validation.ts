/**
 * Validation at send time: whether an organization wants it, and which recipients it keeps out. Where it is off, asking
 * for the setting is all it costs.
 */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import { strictObject, stringEnum } from '../../http/schema.ts';
import type { Address } from '../../protocols/message/address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type ValidationDeps, type ValidationResult, validateAddresses } from '../../validation/service.ts';
import { ColumnSetting, columnOf } from './column.ts';
import { defineSetting } from './setting.ts';

const THRESHOLDS = ['off', 'high', 'medium'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

const AUTO_VALIDATION = columnOf<Threshold>('auto_validation', 'off');

/** Refused strictly above. */
const REFUSED_ABOVE: Readonly<Record<Exclude<Threshold, 'off'>, number>> = { high: 0.7, medium: 0.3 };
/** No send may take a second longer because of it; what DNS has not said by then does not count. */
const DNS_BUDGET_MS = 800;

export interface RefusedRecipient {
  readonly address: Address;
  readonly score: number;
  readonly reason: string;
}

export class AutoValidation {
  readonly #column: ColumnSetting<Threshold>;
  readonly #validation: ValidationDeps;

  constructor(deps: { readonly db: Sql; readonly clock: Clock; readonly validation: ValidationDeps }) {
    this.#column = new ColumnSetting(AUTO_VALIDATION, deps);
    // Suppressed addresses are refused by the suppression list, with its own error; one that was taken off it may be mailed.
    this.#validation = { ...deps.validation, pastFailures: async () => new Map() };
  }

  async isOn(organizationId: string): Promise<boolean> {
    return (await this.thresholdOf(organizationId)) !== 'off';
  }

  /** Those of the addresses that the organization does not want to mail. */
  async refusedAmong(organizationId: string, addresses: readonly Address[]): Promise<RefusedRecipient[]> {
    const threshold = await this.thresholdOf(organizationId);
    if (threshold === 'off' || addresses.length === 0) return [];
    const results = await validateAddresses(this.#validation, organizationId, addresses, {
      budgetMs: DNS_BUDGET_MS,
    });
    return results.filter((result) => isRefused(result, threshold)).map(toRefused);
  }

  thresholdOf(organizationId: string): Promise<Threshold> {
    return this.#column.of(organizationId);
  }

  set(organizationId: string, threshold: Threshold): Promise<void> {
    return this.#column.set(organizationId, threshold);
  }
}

/** DNS that did not answer is a doubt, and doubt alone never refuses anybody. */
export function isRefused(
  { scoreWithoutDnsDoubt }: Pick<ValidationResult, 'scoreWithoutDnsDoubt'>,
  threshold: Exclude<Threshold, 'off'>,
): boolean {
  return scoreWithoutDnsDoubt > REFUSED_ABOVE[threshold];
}

function toRefused({ address, scoreWithoutDnsDoubt, signals }: ValidationResult<Address>): RefusedRecipient {
  const reasons = signals.filter((signal) => signal !== 'dns_unknown');
  return { address, score: scoreWithoutDnsDoubt, reason: reasons.join(', ').replaceAll('_', ' ') };
}

const threshold = stringEnum(THRESHOLDS, {
  description: '`off`: no validation. `high`: recipients above 0.7 are refused. `medium`: those above 0.3.',
});

export const setAutoValidationBody = strictObject({ threshold }, { $id: 'SetAutoValidation' });

export function autoValidationSetting(validation: AutoValidation) {
  return defineSetting({
    name: 'auto-validation',
    toRead: 'Get the auto-validation setting',
    toChange: 'Change the auto-validation setting',
    shown: Type.Object({ auto_validation_threshold: threshold }, { $id: 'AutoValidation' }),
    taken: setAutoValidationBody,
    audit: { action: 'settings.auto_validation_changed', show: ['threshold'] },
    read: async (organizationId) => ({
      auto_validation_threshold: await validation.thresholdOf(organizationId),
    }),
    change: async (organizationId, { threshold: wanted }) => {
      await validation.set(organizationId, wanted);
      return { auto_validation_threshold: wanted };
    },
  });
}
