/** All settings of an organization: how accepting mail reads them, and how the API shows and changes them. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ValidationDeps } from '../../validation/service.ts';
import { AutoValidation, autoValidationSetting } from './auto-validation.ts';
import { disposableDomainsSetting } from './disposable-domains.ts';
import { guardSetting } from './guard.ts';
import { retentionSetting } from './retention.ts';
import type { Setting } from './setting.ts';
import { createTrackingDefaults, type TrackingDefaults, trackingSetting } from './tracking.ts';

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
