/** Secrets of every kind in a database, and what they are. */
import { randomBytes } from 'node:crypto';
import { totpSecretBox } from '../../src/accounts/users/second-factor.ts';
import { acmeAccountBox, certificateKeyBox } from '../../src/certificates/key-encryption.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { PrivateKeyBox } from '../../src/domains/signing-keys.ts';
import { ErasedAddresses } from '../../src/erasure/erased-address-hash.ts';
import { SEALED } from '../../src/operations/secret-keys/reseal.ts';
import { relayPasswordBox } from '../../src/routing/password-box.ts';
import type { KeyRing } from '../../src/runtime/key-ring.ts';
import { webhookSecretBox } from '../../src/webhooks/endpoints/secret.ts';

/** Of a user, of the installation, and of webhooks `wh_seed_000`, `wh_seed_001` and so on, with those before them. */
export async function seedSecrets(
  db: Sql,
  ring: KeyRing,
  organizationId: string,
  webhooks: number,
): Promise<void> {
  await new ErasedAddresses(db, ring).ensure(Date.now());
  await db.exec(
    adHoc(
      `INSERT INTO own_dkim_keys (domain, selector, public_key, private_key, created_at)
       VALUES ('host.test', 'pr1', '', $1, now())`,
    ),
    [new PrivateKeyBox(ring).seal('host.test', randomBytes(64))],
  );
  await db.exec(
    adHoc(
      `INSERT INTO transports (name, kind, settings, password)
       VALUES ('acme', 'relay', '{"url": "smtp://shop@relay.example.net:587"}', $1)`,
    ),
    [relayPasswordBox(ring).seal('acme', randomBytes(16))],
  );
  await db.exec(
    adHoc(
      `INSERT INTO users (id, email, password, totp_secret, created_at) VALUES ($1, 'a@b.test', '', $2, now())`,
    ),
    ['usr_seed', totpSecretBox(ring).seal('usr_seed', randomBytes(20))],
  );
  await db.exec(
    adHoc(
      `INSERT INTO certificates (id, directory_url, name, chain, sealed_key, order_url, sealed_order_key)
       VALUES ('crt_seed', 'https://acme.test/dir', 'mail.acme.test', '', $1, 'https://acme.test/order', $2)`,
    ),
    [randomBytes(64), randomBytes(64)].map((key) => certificateKeyBox(ring).seal('crt_seed', key)),
  );
  await db.exec(
    adHoc(`INSERT INTO acme_accounts (directory_url, sealed_key) VALUES ('https://acme.test/dir', $1)`),
    [acmeAccountBox(ring).seal('https://acme.test/dir', randomBytes(64))],
  );
  const box = webhookSecretBox(ring);
  const ids = Array.from({ length: webhooks }, (_, number) => `wh_seed_${String(number).padStart(3, '0')}`);
  const seal = () => ids.map((id) => box.seal(id, randomBytes(32)));
  await db.exec(
    adHoc(`INSERT INTO webhook_endpoints (id, organization_id, url, secret, previous_secret, previous_until, enabled,
        disabled_reason, disabled_at, created_at, updated_at)
      SELECT id, $1, 'http://127.0.0.1:9/', secret, previous, now() + interval '1 day', false, 'manual', now(), now(), now()
      FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS seed(id, secret, previous)`),
    [organizationId, ids, seal(), seal()],
  );
}

/** Everything sealed there is, by kind and owner, opened with these keys. */
export async function secretsHeld(db: Sql, ring: KeyRing): Promise<Map<string, string>[]> {
  return Promise.all(
    SEALED.map(async ({ column, box }) => {
      const rows = await column.otherThan(db, Buffer.from('any'), '', 10_000);
      return new Map(rows.map(({ id, sealed }) => [id, box(ring).open(id, sealed).toString('hex')]));
    }),
  );
}
