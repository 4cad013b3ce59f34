import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findUsableKey, revokeApiKey } from '../../src/accounts/api-keys/service.ts';
import { listKeys } from '../../src/accounts/api-keys/store.ts';
import { listMembers } from '../../src/accounts/members/store.ts';
import { Passwords } from '../../src/accounts/users/password.ts';
import { findUserByEmail } from '../../src/accounts/users/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { findByName } from '../../src/domains/store.ts';
import { bootstrap } from '../../src/operations/bootstrap.ts';
import { listOrganizations } from '../../src/organizations/store.ts';
import type { MailDomain } from '../../src/protocols/message/address.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { hashToken } from '../../src/runtime/tokens.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const GIVEN = 'a-key-that-the-operator-chose';
const nothing = {
  bootstrapApiKey: undefined,
  bootstrapApiKeyName: 'POSTRIDER_BOOTSTRAP_API_KEY',
  dailyLimit: 0,
};

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

describe('the first start', () => {
  it('creates an organization that can send at once, and shows its key', async () => {
    const first = await bootstrap(test.db, { ...nothing, dailyLimit: 500 }, systemClock);
    expect(first).toMatchObject({ created: true, givenKey: 'none' });
    expect(first.apiKey).toMatch(/^pr_[A-Za-z0-9_-]{43}$/);
    expect(await listOrganizations(test.db)).toMatchObject([
      { id: first.organizationId, name: 'Default', daily_limit: 500 },
    ]);
    expect(await findByName(test.db, first.organizationId, 'sandbox.test' as MailDomain)).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      spf_verified: true,
      dkim_verified: true,
      verified_at: expect.any(Date),
    });
    const key = await findUsableKey(test.db, systemClock, hashToken(first.apiKey ?? ''));
    expect(key).toMatchObject({ organization_id: first.organizationId, scope: 'full', domain: null });
  });

  it('takes the key it is given instead of making one', async () => {
    const first = await bootstrap(test.db, { ...nothing, bootstrapApiKey: GIVEN }, systemClock);
    expect(first).toMatchObject({ created: true, apiKey: null, givenKey: 'added' });
    expect(await listKeys(test.db, null)).toHaveLength(1);
    const key = await findUsableKey(test.db, systemClock, hashToken(GIVEN));
    expect(key).toMatchObject({ organization_id: first.organizationId, scope: 'full' });
  });

  it('creates one organization however many processes start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => bootstrap(test.db, nothing, systemClock)));
    expect(all.filter((one) => one.created)).toHaveLength(1);
    expect(all.filter((one) => one.apiKey !== null)).toHaveLength(1);
    expect(new Set(all.map((one) => one.organizationId)).size).toBe(1);
    expect(await listOrganizations(test.db)).toHaveLength(1);
  });

  it('keeps nothing when it fails halfway', async () => {
    await test.db.exec(adHoc('ALTER TABLE api_keys ADD CHECK (false)'));
    await expect(bootstrap(test.db, nothing, systemClock)).rejects.toThrow(/check/);
    expect(await listOrganizations(test.db)).toEqual([]);
  });
});

describe('a user in the environment', () => {
  const admin = { ...nothing, adminEmail: 'Ops@Example.org', adminPassword: 'a password of the operator' };

  it('becomes the first user, who owns the first organization', async () => {
    const { organizationId } = await bootstrap(test.db, admin, systemClock);
    const user = await findUserByEmail(test.db, 'ops@example.org');
    const { right } = await new Passwords().verify(admin.adminPassword, user?.password ?? null, '');
    expect(right).toBe(true);
    expect(await listMembers(test.db, organizationId)).toMatchObject([{ id: user?.id, role: 'owner' }]);
  });

  it('is left alone once there is one, whatever the environment says', async () => {
    const { organizationId } = await bootstrap(test.db, admin, systemClock);
    const before = await findUserByEmail(test.db, 'ops@example.org');
    await bootstrap(test.db, { ...admin, adminPassword: 'another password of theirs' }, systemClock);
    await bootstrap(test.db, { ...admin, adminEmail: 'other@example.org' }, systemClock);
    expect(await listMembers(test.db, organizationId)).toHaveLength(1);
    expect(await findUserByEmail(test.db, 'ops@example.org')).toEqual(before);
  });

  it.each([
    ['only one of the two', { adminPassword: undefined }, /must be set together/],
    ['no address', { adminEmail: 'ops' }, /POSTRIDER_ADMIN_EMAIL is not an address/],
    ['a weak password', { adminPassword: 'password123' }, /POSTRIDER_ADMIN_PASSWORD is a common password/],
  ])('stops the start with %s, and creates nothing', async (_, changes, why) => {
    await expect(bootstrap(test.db, { ...admin, ...changes }, systemClock)).rejects.toThrow(why);
    expect(await listOrganizations(test.db)).toEqual([]);
  });
});

describe('a later start', () => {
  it('changes nothing and shows no key again', async () => {
    const first = await bootstrap(test.db, nothing, systemClock);
    const second = await bootstrap(test.db, nothing, systemClock);
    expect(second).toEqual({
      created: false,
      organizationId: first.organizationId,
      apiKey: null,
      givenKey: 'none',
    });
    expect(await listKeys(test.db, null)).toHaveLength(1);
  });

  it('adds a key that is given only now to the first organization, once', async () => {
    const first = await bootstrap(test.db, nothing, systemClock);
    const given = { ...nothing, bootstrapApiKey: GIVEN };
    expect((await bootstrap(test.db, given, systemClock)).givenKey).toBe('added');
    expect((await bootstrap(test.db, given, systemClock)).givenKey).toBe('known');
    const key = await findUsableKey(test.db, systemClock, hashToken(GIVEN));
    expect(key?.organization_id).toBe(first.organizationId);
    expect(await listKeys(test.db, null)).toHaveLength(2);
  });

  it('does not bring back a key that was revoked', async () => {
    const given = { ...nothing, bootstrapApiKey: GIVEN };
    await bootstrap(test.db, given, systemClock);
    const [key] = await listKeys(test.db, null);
    await revokeApiKey(test.db, systemClock, key?.id ?? '', null);
    expect((await bootstrap(test.db, given, systemClock)).givenKey).toBe('revoked');
    expect(await findUsableKey(test.db, systemClock, hashToken(GIVEN))).toBeUndefined();
  });
});
