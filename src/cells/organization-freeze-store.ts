/** The one writer of `standstills`, in the cell that an organization leaves and in the one that it comes to. */
import { type Sql, sql } from '../database/sql.ts';
import { wakeWorkers } from '../outbox/wake.ts';

const insert = sql(
  'standstills.insert',
  'INSERT INTO standstills (organization_id) VALUES ($1) ON CONFLICT (organization_id) DO NOTHING',
  { home: 'cell' },
);

const setClosed = sql(
  'standstills.close',
  'UPDATE standstills SET is_closed = true WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const remove = sql('standstills.remove', 'DELETE FROM standstills WHERE organization_id = $1', {
  home: 'cell',
  organization: '$1',
});

/** From now on nobody takes up work for it here; what is in hand goes on. */
export async function freezeOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(insert, [organizationId]);
}

/** No mail is accepted for it here any more. */
export async function closeFrozenOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(setClosed, [organizationId]);
}

/** Its mail is anybody's to take up again. */
export async function unfreezeOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(remove, [organizationId]);
  await wakeWorkers(cell);
}
