/** What the API is given, and what it is made of. */
import type { KeyCounts } from '../accounts/api-keys/key-counts.ts';
import type { KeyUsage } from '../accounts/api-keys/usage.ts';
import type { ScryptCost } from '../accounts/users/password.ts';
import type { Database } from '../database/database.ts';
import type { Reads } from '../database/reads.ts';
import type { Outside } from '../doctor/reference-servers.ts';
import type { KeyPairDeps } from '../domains/key-pairs.ts';
import type { ErasedAddresses } from '../erasure/erased-address.ts';
import type { RateShares } from '../http/rate-shares.ts';
import type { UnauthenticatedLimits, UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import type { RequestRecorder } from '../request-logs/recorder.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { DiskWatch, StatFs } from '../runtime/disk-space.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Tracer } from '../runtime/tracing.ts';
import type { UserGate } from './accounts.ts';
import type { AddressValidation } from './address-validation.ts';
import type { ApiCertificates } from './certificates.ts';
import type { DomainChecking } from './domain-checking.ts';
import type { Tracking } from './tracking.ts';

export interface ApiDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** For what lasts a moment; never set, unless by tests. */
  readonly steady?: Clock;
  readonly db: Database;
  /** For lists, statistics and events; `db` where there is none. */
  readonly standby?: Database | undefined;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  /** Told why, where it turns out late that this process must not run: it has another secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  /** Asks how much room a disk has; only tests give one. */
  readonly statfs?: StatFs;
  /** The folder of the built dashboard; only tests give one. */
  readonly dashboard?: string;
  /** How dear a password is to guess; only tests make it cheap. */
  readonly passwordCost?: ScryptCost;
  /** How DKIM keys are made, and for whom how many; only tests say. */
  readonly keyPairs?: Omit<KeyPairDeps, 'clock'>;
  /** How often certificates are looked after and read; only tests say. */
  readonly certificateRoundMs?: number;
  /** Whom the doctor asks; only tests say. */
  readonly outside?: Outside;
  /** What an address may ask for without a key; only tests say. */
  readonly quotas?: Partial<UnauthenticatedLimits>;
  /** All of them, to see that they are sound; only tests do. */
  readonly compileSchemasAtStart?: boolean;
}

export interface ApiParts {
  readonly ring: KeyRing;
  readonly erased: ErasedAddresses;
  readonly usage: KeyUsage;
  readonly counts: KeyCounts;
  readonly requests: RequestRecorder;
  readonly checking: DomainChecking;
  readonly validation: AddressValidation;
  readonly disk: DiskWatch;
  readonly people: UserGate;
  readonly strangers: UnauthenticatedQuotas;
  readonly tracking: Tracking;
  readonly reads: Reads;
  /** Null where certificates are not ordered. */
  readonly certificates: ApiCertificates | null;
  /** With the other processes of the API. */
  readonly shared: RateShares;
}
