/** All settings of an organization: how accepting mail reads them, and how the API shows and changes them. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ValidationDeps } from '../../validation/service.ts';
import { AutoValidation, autoValidationSetting, setAutoValidationBody } from './auto-validation.ts';
import { disposableDomainsSetting, setDisposableDomainsBody } from './disposable-domains.ts';
import { guardSetting, setGuardBody } from './guard.ts';
import { retentionSetting, updateRetentionBody } from './retention.ts';
import type { Setting } from './setting.ts';
import {
  createTrackingDefaults,
  setTrackingBody,
  type TrackingDefaults,
  trackingSetting,
} from './tracking.ts';

/**
 * What a change of each setting takes, by the name of the setting. The file of `postrider apply`, the names of the operations and
 * the methods of the clients follow this list.
 */
export const SETTING_BODIES = {
  validation: setDisposableDomainsBody,
  'auto-validation': setAutoValidationBody,
  guard: setGuardBody,
  tracking: setTrackingBody,
  retention: updateRetentionBody,
} as const;

export const SETTING_NAMES: readonly string[] = Object.keys(SETTING_BODIES);

/** The settings that accepting mail reads. */
export interface Settings extends TrackingDefaults {
  readonly autoValidation: AutoValidation;
}

/** `clock` must be monotonic, because values are cached by its time. */
export function createSettings(db: Sql, clock: Clock, validation: ValidationDeps): Settings {
  return {
    autoValidation: new AutoValidation({ db, clock, validation }),
    ...createTrackingDefaults(db, clock),
  };
}

export interface SettingsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  /** The reason why mail cannot be tracked regardless of settings; see runtime/public-url.ts. */
  readonly trackingProblem: string | null;
}

export function settingsOf({ db, clock, settings, trackingProblem }: SettingsDeps): readonly Setting[] {
  return [
    disposableDomainsSetting(db, clock),
    autoValidationSetting(settings.autoValidation),
    trackingSetting(settings, trackingProblem),
    guardSetting(db),
    retentionSetting(db, clock),
  ];
}
