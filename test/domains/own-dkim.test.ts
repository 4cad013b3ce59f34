/** The DKIM key of the installation's own domain: one for all processes, and when it signs. */
import { createPublicKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { dkimName, dkimValue } from '../../src/domains/dns-records.ts';
import {
  checkDkimRecord,
  ensureOwnKey,
  findOwnKeyFor,
  OwnDkimSigner,
  type OwnKeyDeps,
} from '../../src/domains/own-dkim/own-signer.ts';
import type { OwnKeyRow } from '../../src/domains/own-dkim/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/durations.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { runCommand } from '../support/command-line.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { DomainFixture } from './fixture.ts';

const DOMAIN = 'host.example';

let fixture: DomainFixture;
beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
/** The key stays, because making one takes long; DNS and everybody have forgotten it. */
beforeEach(async () => {
  const freeKey = `UPDATE own_dkim_keys SET switches = '{}', missing_since = NULL, last_check = NULL RETURNING selector`;
  const known = await fixture.test.db.maybeOne(adHoc<Pick<OwnKeyRow, 'selector'>>(freeKey));
  if (known !== undefined) fixture.zone.remove(nameOf(known));
  fixture.clock.offsetMs = 0;
});

const ring = (secret = TEST_SECRET_KEY) => new KeyRing([new SecretKey(Buffer.from(secret))]);

function deps(): OwnKeyDeps {
  const { db, log, clock, txtLookups } = fixture.deps;
  return { db, log, clock, txtLookups, ring: ring(), domain: DOMAIN };
}

const newSigner = (keys = ring()) =>
  new OwnDkimSigner({ db: fixture.test.db, ring: keys, clock: fixture.clock, domain: DOMAIN });

const nameOf = ({ selector }: Pick<OwnKeyRow, 'selector'>) => dkimName({ domain: DOMAIN, selector });

async function published(): Promise<OwnKeyRow> {
  const key = await ensureOwnKey(deps());
  fixture.zone.set(nameOf(key), { TXT: [dkimValue(key.public_key)] });
  return checkDkimRecord(deps());
}

describe('the key of our own domain', () => {
  it('is the same for all who make one at the same time', async () => {
    const made = await Promise.all([ensureOwnKey(deps()), ensureOwnKey(deps()), ensureOwnKey(deps())]);
    expect(new Set(made.map(({ selector }) => selector)).size).toBe(1);
    expect((await ensureOwnKey(deps())).public_key).toEqual(made[0]?.public_key);
  });

  it('signs nothing before DNS has its record, and says why', async () => {
    const key = await checkDkimRecord(deps());
    expect(key).toMatchObject({ switches: [], last_check: { status: 'fail', name: nameOf(key) } });
    fixture.clock.offsetMs += HOUR_MS;
    expect(await newSigner().find(fixture.clock.nowMs())).toBeNull();
  });

  it('signs what is first tried after DNS has its record, with the private half of it', async () => {
    const { switches, public_key: spki, selector } = await published();
    const [from] = switches as [Date];
    const signer = newSigner();
    expect(await signer.find(from.getTime() - 1)).toBeNull();
    const found = await signer.find(from.getTime());
    expect(found).toMatchObject({ domain: DOMAIN, selector });
    const signature = sign('sha256', Buffer.from('hello'), found?.key as never);
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify('sha256', Buffer.from('hello'), publicKey, signature)).toBe(true);
  });

  it('is known to a running signer before it counts', async () => {
    const signer = newSigner();
    expect(await signer.find(fixture.clock.nowMs())).toBeNull();
    const [from] = (await published()).switches as [Date];
    fixture.clock.offsetMs = from.getTime() - Date.now();
    expect(await signer.find(from.getTime())).toMatchObject({ domain: DOMAIN });
  });

  it('ends after a day without a record, and still signs what was tried before', async () => {
    const key = await published();
    const signer = newSigner();
    const tried = fixture.clock.nowMs() + HOUR_MS;
    fixture.zone.remove(nameOf(key));
    fixture.clock.offsetMs += HOUR_MS;
    expect((await checkDkimRecord(deps())).missing_since).not.toBeNull();
    fixture.clock.offsetMs += DAY_MS;
    expect((await checkDkimRecord(deps())).switches).toHaveLength(2);
    fixture.clock.offsetMs += HOUR_MS;
    expect(await signer.find(fixture.clock.nowMs())).toBeNull();
    expect((await signer.find(tried))?.selector).toBe(key.selector);
  });

  it('counts one switch of two that looked at the same time', async () => {
    const key = await ensureOwnKey(deps());
    fixture.zone.set(nameOf(key), { TXT: [dkimValue(key.public_key)] });
    const looks = await Promise.all([checkDkimRecord(deps()), checkDkimRecord(deps())]);
    expect(looks.map(({ switches }) => switches.length)).toEqual([1, 1]);
    expect(looks[0]?.switches).toEqual(looks[1]?.switches);
  });

  it('opens with the secret key of the installation alone, and is no reason to send mail without it', async () => {
    const [from] = (await published()).switches as [Date];
    const stranger = newSigner(ring('another secret key of thirty-two or more'));
    await expect(stranger.find(from.getTime())).rejects.toThrow('DKIM key');
  });

  it('is a matter of the first organization', async () => {
    await checkDkimRecord(deps());
    const other = await createOrganization(fixture.test.db, fixture.clock, { name: 'Other', dailyLimit: 0 });
    expect(await findOwnKeyFor(fixture.test.db, DOMAIN, fixture.organizationId)).toMatchObject({
      domain: DOMAIN,
    });
    expect(await findOwnKeyFor(fixture.test.db, DOMAIN, other.id)).toBeNull();
  });
});

describe('npx postrider dkim', () => {
  const run = (argv: string[] = [], changes: Record<string, string> = {}) =>
    runCommand(['dkim', ...argv], {
      DATABASE_URL: fixture.test.url,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_MODE: 'live',
      POSTRIDER_DKIM_DOMAIN: DOMAIN,
      POSTRIDER_DNS_SERVERS: fixture.zone.address,
      ...changes,
    });

  it('shows the record to publish, and says when DNS has it', async () => {
    const before = await run();
    expect(before).toMatchObject({ code: 1, err: '' });
    expect(before.out).toContain(`Mail will also be signed by ${DOMAIN}, once DNS has its DKIM record.`);
    const [, name = '', value = ''] = /TXT +(\S+) +(v=DKIM1; k=rsa; p=\S+)/.exec(before.out) ?? [];
    expect(name).toMatch(/^pr[0-9a-f]{12}\._domainkey\.host\.example$/);
    expect(before.out).toContain(`There is no TXT record at ${name}.`);
    fixture.zone.set(name, { TXT: [value] });
    const after = await run(['--json']);
    expect(after.code).toBe(0);
    expect(JSON.parse(after.out)).toMatchObject({
      domain: DOMAIN,
      state: 'signing',
      dns_record: { type: 'TXT', name, value },
      check: { status: 'pass' },
    });
    expect(after.out).not.toMatch(/private/i);
  });

  it('says what to set where no domain is named', async () => {
    const { code, err } = await run([], { POSTRIDER_DKIM_DOMAIN: '' });
    expect(code).toBe(1);
    expect(err).toContain('POSTRIDER_DKIM_DOMAIN is not set');
  });
});
