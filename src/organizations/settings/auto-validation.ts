/**
 * Validation at send time: the organization's threshold and the recipients refused by it. When disabled, it costs
 * only the lookup of the setting.
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
type Threshold = (typeof THRESHOLDS)[number];

const AUTO_VALIDATION = columnOf<Threshold>('auto_validation', 'off');

/** Scores strictly above the value are refused. */
const REFUSED_ABOVE: Readonly<Record<Exclude<Threshold, 'off'>, number>> = { high: 0.7, medium: 0.3 };
/** Bounds the delay of a send; DNS answers that arrive later do not count. */
const DNS_BUDGET_MS = 800;

interface RefusedRecipient {
  readonly address: Address;
  readonly score: number;
  readonly reason: string;
}

export class AutoValidation {
  readonly #column: ColumnSetting<Threshold>;
  readonly #validation: ValidationDeps;

  constructor(deps: { readonly db: Sql; readonly clock: Clock; readonly validation: ValidationDeps }) {
    this.#column = new ColumnSetting(AUTO_VALIDATION, deps);
    // The suppression list refuses suppressed addresses with its own error. An address removed from the list may be
    // mailed again.
    this.#validation = { ...deps.validation, pastFailures: async () => new Map() };
  }

  async isOn(organizationId: string): Promise<boolean> {
    return (await this.thresholdOf(organizationId)) !== 'off';
  }

  /** The addresses whose risk exceeds the organization's threshold. */
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

/** A DNS timeout only adds doubt, and doubt alone refuses no recipient. */
function isRefused(
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
  description:
    '`off`: no validation. `high`: recipients with a risk score above 0.7 are refused. `medium`: recipients with a risk score above 0.3 are refused.',
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
