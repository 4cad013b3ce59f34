/** The one writer of `second_factor_failures`. A row is deleted when its user changes the password. */
import { type Sql, sql } from '../../database/sql.ts';

/**
 * Counts an attempt before the check, so that concurrent attempts cannot exceed the limit. Returns no row during a
 * cool-down.
 */
const count = sql<{ failures: number }>(
  'second_factor_failures.count',
  `INSERT INTO second_factor_failures AS f (user_id, known_device, failures, since) VALUES ($1, $2, 1, $3::timestamptz)
   ON CONFLICT (user_id, known_device) DO UPDATE SET
     failures = CASE WHEN f.since <= $4 THEN 1 ELSE f.failures + 1 END,
     since = CASE WHEN f.since <= $4 THEN $3::timestamptz ELSE f.since END,
     rounds = CASE WHEN f.since <= $5 THEN 0 ELSE f.rounds END
   WHERE f.cooling_until IS NULL OR f.cooling_until <= $3::timestamptz
   RETURNING failures`,
  { home: 'control' },
);

const find = sql<{ cooling_until: Date | null }>(
  'second_factor_failures.find',
  'SELECT cooling_until FROM second_factor_failures WHERE user_id = $1 AND known_device = $2',
  { home: 'control' },
);

const refund = sql(
  'second_factor_failures.refund',
  `UPDATE second_factor_failures SET failures = greatest(0, failures - 1) WHERE user_id = $1 AND known_device = $2`,
  { home: 'control' },
);

/** Of several concurrent requests, one starts the cool-down. */
const cool = sql<{ cooling_until: Date; notify: boolean }>(
  'second_factor_failures.cool',
  `UPDATE second_factor_failures SET failures = 0, since = $3::timestamptz, rounds = least(rounds + 1, 30),
     cooling_until = $3::timestamptz + make_interval(secs => least($4::float8 * 2 ^ rounds, $5::float8)),
     notified_at = CASE WHEN notified_at > $6 THEN notified_at ELSE $3::timestamptz END
   WHERE user_id = $1 AND known_device = $2 AND (cooling_until IS NULL OR cooling_until <= $3::timestamptz)
   RETURNING cooling_until, notified_at = $3::timestamptz AS notify`,
  { home: 'control' },
);

const remove = sql('second_factor_failures.remove', 'DELETE FROM second_factor_failures WHERE user_id = $1', {
  home: 'control',
});

export interface SecondFactorSubject {
  readonly userId: string;
  readonly knownDevice: boolean;
}

/** The count including this attempt, or undefined during a cool-down. */
export async function countTry(
  db: Sql,
  { userId, knownDevice }: SecondFactorSubject,
  times: { readonly now: Date; readonly windowStart: Date; readonly forgottenBefore: Date },
): Promise<number | undefined> {
  const values = [userId, knownDevice, times.now, times.windowStart, times.forgottenBefore];
  return (await db.maybeOne(count, values))?.failures;
}

export async function coolDownEndsAt(
  db: Sql,
  { userId, knownDevice }: SecondFactorSubject,
): Promise<Date | null> {
  return (await db.maybeOne(find, [userId, knownDevice]))?.cooling_until ?? null;
}

export async function refundTry(db: Sql, { userId, knownDevice }: SecondFactorSubject): Promise<void> {
  await db.exec(refund, [userId, knownDevice]);
}

/** Undefined when a cool-down is already active. */
export function startCoolDown(
  db: Sql,
  { userId, knownDevice }: SecondFactorSubject,
  rule: {
    readonly now: Date;
    readonly firstSeconds: number;
    readonly mostSeconds: number;
    readonly notifiedBefore: Date;
  },
): Promise<{ cooling_until: Date; notify: boolean } | undefined> {
  const values = [userId, knownDevice, rule.now, rule.firstSeconds, rule.mostSeconds, rule.notifiedBefore];
  return db.maybeOne(cool, values);
}

export async function deleteTries(db: Sql, userId: string): Promise<void> {
  await db.exec(remove, [userId]);
}
