/** The dependencies that all account code shares. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Mode } from '../../runtime/config.ts';
import type { Log } from '../../runtime/log.ts';
import type { SendAccountMail } from './account-mail.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Passwords } from './password.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SecondFactorCeiling } from './second-factor-ceiling.ts';
import type { SignInFailures } from './sign-in-failures.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface AccountDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly secondFactor: SecondFactor;
  readonly throttle: SignInThrottle;
  readonly ceiling: SecondFactorCeiling;
  readonly devices: KnownDevices;
  readonly failures: SignInFailures;
  readonly sendMail: SendAccountMail;
  readonly mode: Mode;
  readonly publicUrl: string;
  /** The setup token that the first user signs up with. */
  readonly setUpToken: string;
}
