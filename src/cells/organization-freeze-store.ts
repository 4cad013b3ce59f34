/** The one writer of `standstills`, in the old and the new cell of a moving organization. */
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

/** From now on no worker starts work for the organization here; work in progress continues. */
export async function freezeOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(insert, [organizationId]);
}

/** Stops accepting mail for the organization here. */
export async function closeFrozenOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(setClosed, [organizationId]);
}

/** Workers may claim its mail again. */
export async function unfreezeOrganization(cell: Sql, organizationId: string): Promise<void> {
  await cell.exec(remove, [organizationId]);
  await wakeWorkers(cell);
}
