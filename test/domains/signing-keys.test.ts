import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { KeyPairs, UNBOUNDED } from '../../src/domains/key-pairs.ts';
import { DomainKeys, DomainSigningKeys } from '../../src/domains/signing-keys.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { newId } from '../../src/runtime/ids.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { domainName } from '../support/addresses.ts';
import { DomainFixture } from './fixture.ts';

let fixture: DomainFixture;
beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());

const newCache = (keys = fixture.deps.keys) =>
  new DomainSigningKeys({ db: fixture.test.db, clock: fixture.clock, keys });

describe('the key to sign with', () => {
  it('is the private half of what the domain publishes', async () => {
    const row = await fixture.register('sign.example');
    const found = await newCache().find(fixture.organizationId, domainName('sign.example'));
    expect(found?.selector).toBe(row.selector);
    const signature = sign('sha256', Buffer.from('hello'), found?.key as never);
    const publicKey = createPublicKey({ key: row.public_key, format: 'der', type: 'spki' });
    expect(verify('sha256', Buffer.from('hello'), publicKey, signature)).toBe(true);
  });

  it('is the same object every time, also after it was asked for anew', async () => {
    await fixture.register('same.example');
    const cache = newCache();
    const [first, second] = await Promise.all([
      cache.find(fixture.organizationId, domainName('same.example')),
      cache.find(fixture.organizationId, domainName('same.example')),
    ]);
    fixture.clock.offsetMs += 120_000;
    const third = await cache.find(fixture.organizationId, domainName('same.example'));
    expect(second?.key).toBe(first?.key);
    expect(third?.key).toBe(first?.key);
  });

  it('is nobody else’s', async () => {
    await fixture.register('mine.example');
    expect(await newCache().find('org_0000000000001', domainName('mine.example'))).toBeNull();
    expect(await newCache().find(fixture.organizationId, domainName('www.mine.example'))).toBeNull();
  });

  it('is found as soon as the domain is registered, and changes with a new registration', async () => {
    const cache = newCache();
    expect(await cache.find(fixture.organizationId, domainName('anew.example'))).toBeNull();
    const first = await fixture.register('anew.example');
    expect((await cache.find(fixture.organizationId, domainName('anew.example')))?.selector).toBe(
      first.selector,
    );
    await fixture.domains.remove(fixture.organizationId, first.id);
    const second = await fixture.register('anew.example');
    fixture.clock.offsetMs += 60_000;
    expect((await cache.find(fixture.organizationId, domainName('anew.example')))?.selector).toBe(
      second.selector,
    );
  });

  it('is made for a domain that has none, once for all who need it', async () => {
    const now = new Date();
    const { id } = await insertDomain(fixture.test.db, {
      id: newId('dom'),
      organization_id: fixture.organizationId,
      domain: domainName('keyless.example'),
      spf_verified: true,
      dkim_verified: true,
      verified_at: now,
      created_at: now,
    });
    const found = await Promise.all(
      Array.from({ length: 3 }, () => newCache().find(fixture.organizationId, domainName('keyless.example'))),
    );
    const publicKey = createPublicKey({
      key: (await fixture.find(id)).public_key,
      format: 'der',
      type: 'spki',
    });
    for (const one of found) expect(createPublicKey(one?.key as never).equals(publicKey)).toBe(true);
  });

  it('does not open when rows were swapped, and says so without showing anything', async () => {
    const a = await fixture.register('swap-a.example');
    const b = await fixture.register('swap-b.example');
    await fixture.test.db.exec(
      adHoc(
        `UPDATE domains SET private_key = other.private_key FROM domains AS other
         WHERE domains.id = $1 AND other.id = $2`,
      ),
      [a.id, b.id],
    );
    await expect(newCache().find(fixture.organizationId, domainName('swap-a.example'))).rejects.toThrow(
      `The DKIM key of ${a.id} does not open`,
    );
    expect((await newCache().find(fixture.organizationId, domainName('swap-b.example')))?.selector).toBe(
      b.selector,
    );
  });

  it('does not open with another master key, and is tried again afterwards', async () => {
    await fixture.register('master.example');
    const pairs = new KeyPairs({ clock: fixture.clock, limits: UNBOUNDED });
    const other = new DomainKeys(new KeyRing([new SecretKey(Buffer.alloc(40, 'x'))]), pairs);
    const cache = newCache(other);
    await expect(cache.find(fixture.organizationId, domainName('master.example'))).rejects.toThrow(
      /POSTRIDER_SECRET_KEY/,
    );
    await expect(cache.find(fixture.organizationId, domainName('master.example'))).rejects.toThrow(
      /POSTRIDER_SECRET_KEY/,
    );
  });
});

it('leaves no private key in the log', async () => {
  const row = await fixture.verified('logged.example');
  const found = await newCache().find(fixture.organizationId, domainName('logged.example'));
  fixture.deps.log.info({ row, found, keys: fixture.deps.keys }, 'everything there is');
  const log = fixture.logged.join('');
  const secret = found?.key.export({ type: 'pkcs8', format: 'der' }) as Buffer;
  expect(log).toContain('everything there is');
  expect(log).not.toMatch(/PRIVATE|MIIEv/);
  for (const form of [secret.toString('base64'), secret.toString('hex'), [...secret].join(',')]) {
    // Near the end: what it begins with is the public half.
    expect(log).not.toContain(form.slice(-400, -340));
  }
});
