/** Adjusts values in the target that are only meaningful within one database. */
import { sql } from '../../database/sql.ts';
import { unparkArrived } from '../../outbox/park.ts';
import type { CellEnd } from './cell-end.ts';

/** Each cell numbers templates on its own; the next number must be new to the organization. */
const advanceNumbers = sql(
  'moves.advance_template_numbers',
  `SELECT setval(pg_get_serial_sequence('templates', 'number'), greatest(
     (SELECT last_value FROM templates_number_seq),
     (SELECT max(number)::bigint FROM templates WHERE organization_id = $1)))`,
  { home: 'cell', organization: '$1' },
);

/** Runs before any process writes there. */
export async function advanceSequences({ db }: CellEnd, organizationId: string): Promise<void> {
  await db.exec(advanceNumbers, [organizationId]);
}

/** Each cell has its own holds of all mail. */
export async function finishArrival({ db }: CellEnd, organizationId: string): Promise<void> {
  await unparkArrived(db, organizationId);
}
