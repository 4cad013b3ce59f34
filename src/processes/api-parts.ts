import type { KeyCounts } from '../accounts/api-keys/key-counts.ts';
import type { KeyUsage } from '../accounts/api-keys/usage.ts';
import type { ScryptCost } from '../accounts/users/password.ts';
import type { Database } from '../database/database.ts';
import type { Reads } from '../database/reads.ts';
import type { Outside } from '../doctor/reference-servers.ts';
import type { KeyPairDeps } from '../domains/key-pairs.ts';
import type { ErasedAddresses } from '../erasure/erased-address-hash.ts';
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
  /** Monotonic clock for caches and limits. Tests pass their own. */
  readonly steady?: Clock;
  readonly db: Database;
  /** For lists, statistics and events; `db` is used without one. */
  readonly standby?: Database | undefined;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  /** Called with the reason when this process turns out to have the wrong secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  /** Reads a disk's free space; tests pass their own. */
  readonly statfs?: StatFs;
  /** The folder of the built dashboard; tests pass their own. */
  readonly dashboard?: string;
  /** The cost of a password hash; only tests lower it. */
  readonly passwordCost?: ScryptCost;
  /** How DKIM keys are generated, and their limits; tests pass their own. */
  readonly keyPairs?: Omit<KeyPairDeps, 'clock'>;
  /** Interval for renewing and reloading certificates; tests pass their own. */
  readonly certificateRoundMs?: number;
  /** The doctor's outside servers; tests pass their own. */
  readonly outside?: Outside;
  /** The limits of an address without a key; tests pass their own. */
  readonly quotas?: Partial<UnauthenticatedLimits>;
  /** Compiles all schemas to check them; only tests set this. */
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
  readonly unauthenticatedQuotas: UnauthenticatedQuotas;
  readonly tracking: Tracking;
  readonly reads: Reads;
  /** Null when no certificates are ordered. */
  readonly certificates: ApiCertificates | null;
  /** Request counts shared with the other API processes. */
  readonly shared: RateShares;
}
