/** The only writer of `acme_accounts`: one account key per directory, shared by all processes. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { SealedBox } from '../runtime/sealed-box.ts';
import { keyPem, newKey } from './x509.ts';

export const sealedAccountKeys = sealedColumn('acme_accounts', 'sealed_key', { idColumn: 'directory_url' });

const select = sql<{ sealed_key: Buffer }>(
  'acme_accounts.find',
  'SELECT sealed_key FROM acme_accounts WHERE directory_url = $1',
  { home: 'control' },
);

const insert = sql(
  'acme_accounts.insert',
  'INSERT INTO acme_accounts (directory_url, sealed_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  { home: 'control' },
);

/** If several processes create a key at once, all of them get the one stored first. */
export async function accountKey(db: Sql, box: SealedBox, directoryUrl: string): Promise<KeyObject> {
  const known = await db.maybeOne(select, [directoryUrl]);
  if (known === undefined) {
    const made = Buffer.from(keyPem(newKey()));
    await db.exec(insert, [directoryUrl, box.seal(directoryUrl, made)]);
  }
  const { sealed_key } = known ?? (await db.one(select, [directoryUrl]));
  return createPrivateKey(box.open(directoryUrl, sealed_key).toString());
}
