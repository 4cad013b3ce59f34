/** Whether workers of an earlier release run, as during an upgrade. They and the other processes of that release read its rows. */
import type { Sql } from '../../database/sql.ts';
import { hasEarlierWorker } from '../../outbox/lease.ts';

/** The first schema whose processes read attempts, and the starts of attempts, from the rows of their outcomes. */
const KNOWS_ONE_ROW = 145;
const CHECK_INTERVAL_MS = 10_000;

export class EarlierWorkers {
  readonly #db: Sql;
  #checkedMs = -Infinity;
  #isFound = false;

  constructor(db: Sql) {
    this.#db = db;
  }

  async found(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs >= CHECK_INTERVAL_MS) {
      this.#isFound = await hasEarlierWorker(this.#db, KNOWS_ONE_ROW);
      this.#checkedMs = nowMs;
    }
    return this.#isFound;
  }
}
