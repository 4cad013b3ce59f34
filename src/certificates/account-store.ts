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

const replace = sql(
  'acme_accounts.replace',
  'UPDATE acme_accounts SET sealed_key = $3, created_at = now() WHERE directory_url = $1 AND sealed_key = $2',
  { home: 'control' },
);

/**
 * If several processes create a key at once, all of them get the one stored first. A key that cannot be decrypted is
 * replaced by the key of a new account.
 */
export async function accountKey(
  db: Sql,
  box: SealedBox,
  directoryUrl: string,
  onReplaced: (error: unknown) => void,
): Promise<KeyObject> {
  const open = (sealed: Buffer) => createPrivateKey(box.open(directoryUrl, sealed).toString());
  const make = () => box.seal(directoryUrl, Buffer.from(keyPem(newKey())));
  const known = await db.maybeOne(select, [directoryUrl]);
  if (known === undefined) await db.exec(insert, [directoryUrl, make()]);
  else {
    try {
      return open(known.sealed_key);
    } catch (error) {
      onReplaced(error);
      await db.exec(replace, [directoryUrl, known.sealed_key, make()]);
    }
  }
  return open((await db.one(select, [directoryUrl])).sealed_key);
}
