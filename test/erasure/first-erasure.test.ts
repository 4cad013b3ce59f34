/** The key that erased addresses hide behind is made with the first of them, and other processes notice it a little later. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { addressToErase, eraseAddress } from '../../src/erasure/erase.ts';
import { ErasedAddresses } from '../../src/erasure/erased-address-hash.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
beforeEach(async () => {
  org = await server.createOrganization();
  await server.db.exec(adHoc('DELETE FROM data_keys'));
});
afterAll(() => server.stop());

const listed = async (): Promise<string[]> => {
  const rows = await server.db.many(
    adHoc<{ email: string }>('SELECT email FROM suppressions WHERE organization_id = $1'),
    [org.id],
  );
  return rows.map(({ email }) => email);
};

/** An installation in which nothing was ever erased. */
function fixture() {
  const ring = new KeyRing([new SecretKey(Buffer.from(TEST_SECRET_KEY))]);
  const erased = new ErasedAddresses(server.db, ring);
  const clock = { ms: 1_000_000 };
  const waits: { readonly ms: number; readonly listed: readonly string[] }[] = [];
  const deps = {
    db: server.db,
    erased,
    eraseCopies: async () => {},
    nowMs: () => clock.ms,
    sleep: async (ms: number) => void waits.push({ ms, listed: await listed() }),
  };
  const erase = (text: string) =>
    eraseAddress(deps, addressToErase(org.id, text), { untilMs: Number.POSITIVE_INFINITY });
  return { erased, clock, waits, erase };
}

describe('the first erasure', () => {
  it('waits for nobody when the address is on no list', async () => {
    const { waits, erase } = fixture();
    expect(await erase('nowhere@example.org')).toMatchObject({ complete: true });
    expect(waits).toEqual([]);
  });

  it('hides a suppression only when every process knows the key', async () => {
    await server.api('POST', '/suppressions', { email: 'ada@example.org', reason: 'unsubscribe' }, org.key);
    const { waits, erase } = fixture();
    const { shownAs } = await erase('ada@example.org');
    expect(waits).toEqual([{ ms: 2_500, listed: ['ada@example.org'] }]);
    expect(await listed()).toEqual([shownAs]);
  });

  it('waits for what is left of that time when the key was made a moment ago for something else', async () => {
    await server.api('POST', '/suppressions', { email: 'ada@example.org', reason: 'unsubscribe' }, org.key);
    const { erased, clock, waits, erase } = fixture();
    await erased.ensure(clock.ms);
    clock.ms += 1_000;
    await erase('ada@example.org');
    expect(waits.map(({ ms }) => ms)).toEqual([1_500]);
  });

  it('of an old installation waits for nobody', async () => {
    await server.api('POST', '/suppressions', { email: 'ada@example.org', reason: 'unsubscribe' }, org.key);
    await fixture().erased.ensure(0);
    const { waits, erase } = fixture();
    await erase('ada@example.org');
    expect(waits).toEqual([]);
  });
});
