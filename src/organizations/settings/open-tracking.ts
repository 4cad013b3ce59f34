/**
 * Whether an organization wants to know when its mail is opened. Asked for on every send of html, so it is remembered
 * for a moment; a change takes effect everywhere within that moment.
 */
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { trackOpensOf } from '../store.ts';

const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

export class OpenTracking {
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, { readonly on: boolean; readonly untilMs: number }>();

  constructor(db: Sql, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async isOn(organizationId: string): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    const known = this.#remembered.get(organizationId);
    if (known && known.untilMs > nowMs) return known.on;
    const on = await trackOpensOf(this.#db, organizationId);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(organizationId, { on, untilMs: nowMs + REMEMBERED_MS });
    return on;
  }

  /** After a change through this process, so that its caller sees it at once. */
  forget(organizationId: string): void {
    this.#remembered.delete(organizationId);
  }
}
