/** What means something in one database only is given a meaning in the other. */
import { sql } from '../../database/sql.ts';
import { unparkArrived } from '../../outbox/park.ts';
import type { CellEnd } from './cell-end.ts';

/** Templates are numbered by each cell for itself; the next number must be one that the organization does not have. */
const advanceNumbers = sql(
  'moves.advance_template_numbers',
  `SELECT setval(pg_get_serial_sequence('templates', 'number'), greatest(
     (SELECT last_value FROM templates_number_seq),
     (SELECT max(number)::bigint FROM templates WHERE organization_id = $1)))`,
  { home: 'cell', organization: '$1' },
);

/** Before anybody writes there. */
export async function advanceSequences({ db }: CellEnd, organizationId: string): Promise<void> {
  await db.exec(advanceNumbers, [organizationId]);
}

/** Holds for everybody are each cell's own. */
export async function finishArrival({ db }: CellEnd, organizationId: string): Promise<void> {
  await unparkArrived(db, organizationId);
}
