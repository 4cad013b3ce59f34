/** Finds events by number, for clients of services whose events have numbers. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import { type AddressKey, addressKeyOf } from '../protocols/message/address.ts';
import { storedEmail } from '../protocols/message/stored.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import { eventNumber, type Stored } from './read.ts';
import { ownEvent } from './started.ts';
import { STREAM_COLUMNS, type StreamRow } from './stream.ts';

/** The key of an event's recipient in the suppression list. */
export function recipientKeyOf({ recipient }: StreamRow): AddressKey {
  return addressKeyOf(storedEmail(recipient));
}

/** The same factor as in `eventNumber`. */
const PER_MS = 2_048;

const selectBetween = sql<Stored<StreamRow>>(
  'events.between',
  `SELECT ${STREAM_COLUMNS} FROM events WHERE organization_id = $1 AND id >= $2 AND id < $3`,
  { home: 'cell', organization: '$1' },
);

/**
 * Events of one organization, without the starts of attempts, which may have the number of their outcome. Nearly always one: only two
 * processes can generate the same number, in the same millisecond.
 */
export async function eventsNumbered(db: Sql, organizationId: string, number: number): Promise<StreamRow[]> {
  if (!Number.isSafeInteger(number) || number < 0) return [];
  const ms = Math.floor(number / PER_MS);
  const rows = await db.many(selectBetween, [organizationId, uuidv7Floor(ms), uuidv7Floor(ms + 1)]);
  return rows.filter(({ id }) => eventNumber(id) === number).map(ownEvent);
}
