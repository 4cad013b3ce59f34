/**
 * Checks whether one recipient may be mailed before there is a draft, for entry points that answer per recipient. `submit`
 * checks again. Questions that arrive during one lookup share the next lookup.
 */

import type { Database } from '../database/database.ts';
import { perCell } from '../database/per-cell.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { Address } from '../protocols/message/address.ts';
import { Batcher } from '../runtime/work-loop/batcher.ts';
import { type HashAddress, recentlySuppressed, suppressionQuestion } from '../suppressions/suppressed.ts';
import type { AddressOf } from '../suppressions/suppression.ts';
import type { RecipientsSuppressed } from './gates/suppression.ts';
import type { RecipientsRisky, Validates } from './gates/validation.ts';

interface RecipientScreenDeps {
  readonly db: Database;
  readonly autoValidation: Validates;
  readonly hash?: HashAddress;
}

/** `lately`: suppressed because mail to the address failed, within the time for which messages are remembered. */
type Suppressed = 'no' | 'lately' | 'yes';

interface ScreenedOut {
  readonly refused: RecipientsSuppressed | RecipientsRisky;
  /** A message to this recipient may repeat one that was accepted before the suppression; only its content can tell. */
  readonly mayBeRepeat: boolean;
}

const among = sql<{ suppressed: readonly number[] | null }>(
  'suppressions.among',
  'SELECT suppressed_among(asked_keys => $1, asked_hashes => $2) AS suppressed',
  { home: 'cell' },
);

const MAX_BATCH = 500;
const MAX_WAITING = 20_000;
/** Lookups that may run in parallel if many questions wait. Smaller lookups cost more per address. */
const PARALLEL = 2;
const BESIDE_FROM = 16;
const FIRST = { list: 'to', index: 0 } as const;

export class RecipientScreen {
  readonly #db: Database;
  readonly #validates: Validates;
  readonly #suppressed: (organizationId: string) => Batcher<AddressOf, Suppressed>;

  constructor({ db, autoValidation, hash }: RecipientScreenDeps) {
    this.#db = db;
    this.#validates = autoValidation;
    this.#suppressed = perCell(db, (cell) => createBatcher(cell, hash));
  }

  /** The reason to refuse any mail to this address, or null. */
  async refusalOf(organizationId: string, address: Address): Promise<ScreenedOut | null> {
    const { email, key } = address;
    await this.#db.located();
    const [suppressed, [risky]] = await Promise.all([
      this.#suppressed(organizationId).add({ organizationId, key }),
      this.#validates.refusedAmong(organizationId, [address]),
    ]);
    if (suppressed !== 'no') {
      const refused = {
        kind: 'recipients_suppressed',
        recipients: [{ at: FIRST, email, group: null }],
      } as const;
      return { refused, mayBeRepeat: suppressed === 'lately' && risky === undefined };
    }
    if (risky === undefined) return null;
    const refused = { kind: 'recipients_risky', recipients: [{ ...risky, at: FIRST, email }] } as const;
    return { refused, mayBeRepeat: false };
  }
}

function createBatcher(db: Sql, hash: HashAddress | undefined): Batcher<AddressOf, Suppressed> {
  return new Batcher<AddressOf, Suppressed>({
    flush: async (asked) => {
      const { columns, hits } = suppressionQuestion(asked, hash);
      const { suppressed } = await db.one(among, [columns.asked_keys, columns.asked_hashes]);
      if (suppressed === null) return asked.map(() => 'no');
      const found = hits(suppressed);
      const listed = [...found.keys()];
      const lately = await recentlySuppressed(
        db,
        listed.map((place) => asked[place] as AddressOf),
        hash,
      );
      return asked.map((_, place) => {
        if (!found.has(place)) return 'no';
        return lately.has(listed.indexOf(place)) ? 'lately' : 'yes';
      });
    },
    maxBatchItems: MAX_BATCH,
    maxQueuedItems: MAX_WAITING,
    parallel: PARALLEL,
    besideFrom: BESIDE_FROM,
  });
}
