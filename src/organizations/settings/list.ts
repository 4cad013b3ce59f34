/** Every setting of an organization. */
import type { Database } from '../../kit/database/database.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { type AutoValidation, autoValidationSetting } from './auto-validation.ts';
import { disposableDomainsSetting } from './disposable-domains.ts';
import { type OpenTracking, trackingSetting } from './open-tracking.ts';
import { retentionSetting } from './retention.ts';
import type { Setting } from './setting.ts';

export interface SettingsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly autoValidation: AutoValidation;
  readonly openTracking: OpenTracking;
  /** Why mail is not tracked, whatever is asked for; see kit/runtime/public-url.ts. */
  readonly trackingProblem: string | null;
}

export function settingsOf({ db, clock, ...deps }: SettingsDeps): readonly Setting[] {
  return [
    disposableDomainsSetting(db, clock),
    autoValidationSetting(deps.autoValidation),
    trackingSetting(deps.openTracking, deps.trackingProblem),
    retentionSetting(db, clock),
  ];
}
