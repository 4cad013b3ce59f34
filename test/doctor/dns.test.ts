/** Block lists and the records of sending domains: real lookups, against a DNS server on loopback. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { blocklistCheck } from '../../src/doctor/blocklists/check.ts';
import { BLOCKLISTS } from '../../src/doctor/blocklists/lists.ts';
import { domainsCheck } from '../../src/doctor/domains/check.ts';
import { ownDkimCheck } from '../../src/doctor/domains/own-dkim.ts';
import { dnsRecordLine } from '../../src/doctor/finding.ts';
import { dkimName, dkimValue } from '../../src/domains/dns-records.ts';
import { insertOwnKey } from '../../src/domains/own-dkim/store.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { domainName } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { DnsZone } from '../support/dns-zone.ts';
import { ADDRESS, type DoctorRoom, HOST, openDoctorRoom, summaryOf } from './doctor-context.ts';

let room: DoctorRoom;
beforeAll(async () => {
  room = await openDoctorRoom();
});
afterAll(() => room.stop());
afterEach(() => room.zone.replaceZone({}));

describe('block lists', () => {
  const [first, second] = [list('First', 'first.test', 'bad'), list('Second', 'second.test', 'warn')];
  const LISTED = '4.4.8.8';
  const alive: DnsZone = {
    [HOST]: { A: [ADDRESS] },
    '2.0.0.127.first.test': { A: ['127.0.0.2'] },
    '2.0.0.127.second.test': { A: ['127.0.0.2'] },
  };

  function list(name: string, zone: string, weight: 'bad' | 'warn') {
    return { name, zone, weight, hasIPv6: false, removal: `https://${zone}/remove` };
  }

  const ask = (env: Record<string, string> = {}) =>
    room.find(blocklistCheck, { env, outside: { blocklists: [first, second] } });

  it('are ten, each with a page for removal', () => {
    expect(BLOCKLISTS).toHaveLength(10);
    expect(new Set(BLOCKLISTS.map(({ zone }) => zone)).size).toBe(10);
    for (const { removal } of BLOCKLISTS) expect(URL.canParse(removal)).toBe(true);
  });

  it('do not have the address', async () => {
    room.zone.replaceZone(alive);
    expect(summaryOf(await ask())).toEqual([`ok: ${ADDRESS} is not listed by First, Second.`]);
  });

  it('have it, with their reason and where to be removed', async () => {
    room.zone.replaceZone({
      ...alive,
      [`${LISTED}.first.test`]: { A: ['127.0.0.4'], TXT: ['sends spam, see\u0007 here'] },
    });
    const [ok, bad] = await ask();
    expect(ok?.seen).toBe(`${ADDRESS} is not listed by Second.`);
    expect(bad).toMatchObject({
      level: 'bad',
      seen: `${ADDRESS} is listed by First (127.0.0.4). The list states: "sends spam, see? here".`,
      fix: 'Find the cause and stop it first, then ask for removal: https://first.test/remove',
    });
    room.zone.replaceZone({ ...alive, [`${LISTED}.second.test`]: { A: ['127.0.0.2'] } });
    expect((await ask()).map(({ level }) => level)).toEqual(['ok', 'warn']);
  });

  it.each<[string, DnsZone, string]>([
    [
      'refuses the resolver',
      { [`${LISTED}.first.test`]: { A: ['127.255.255.254'] } },
      'refuses queries from this DNS server',
    ],
    [
      'refuses the resolver for its test entry',
      { '2.0.0.127.first.test': { A: ['127.255.255.255'] } },
      'refuses queries',
    ],
    [
      'does not show its test entry',
      { '2.0.0.127.first.test': 'NXDOMAIN' },
      'does not answer this DNS server',
    ],
    ['fails', { [`${LISTED}.first.test`]: 'SERVFAIL' }, 'did not answer (ESERVFAIL)'],
    [
      'lists the whole world',
      { [`${LISTED}.first.test`]: { A: ['127.0.0.2'] }, '1.0.0.127.first.test': { A: ['127.0.0.2'] } },
      'returns every address as listed',
    ],
    [
      'is answered for by somebody else',
      { [`${LISTED}.first.test`]: { A: ['192.0.2.80'] } },
      'not a defined answer of a block list',
    ],
  ])('say nothing where one %s', async (_what, zone, words) => {
    room.zone.replaceZone({ ...alive, ...zone });
    const [ok, unknown] = await ask();
    expect(ok?.seen).toBe(`${ADDRESS} is not listed by Second.`);
    expect(unknown).toMatchObject({
      level: 'unknown',
      fix: expect.stringContaining('POSTRIDER_DNS_SERVERS=127.0.0.1'),
    });
    expect(unknown?.seen).toContain(words);
  });

  it('are not asked without a public address', async () => {
    room.zone.replaceZone({ ...alive, [HOST]: { A: ['10.0.0.7'] } });
    room.zone.forgetQueries();
    expect((await ask())[0]?.level).toBe('unknown');
    expect((await ask({ POSTRIDER_RELAY_URL: 'smtp://relay.example' }))[0]?.level).toBe('unknown');
    expect((await ask({ POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' }))[0]?.level).toBe('unknown');
    expect(room.zone.queries.some(({ name }) => name.endsWith('first.test'))).toBe(false);
    await ask({ POSTRIDER_SENDING_ADDRESSES: ADDRESS });
    expect(room.zone.count(`${LISTED}.first.test`)).toBe(1);
  });
});

describe('a sending domain', () => {
  const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  let database: TestDatabase;
  let selector: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { id } = await createOrganization(database.db, systemClock, { name: 'Shop', dailyLimit: 0 });
    const now = new Date();
    const row = await insertDomain(database.db, {
      id: newId('dom'),
      organization_id: id,
      domain: domainName('shop.example'),
      spf_verified: true,
      dkim_verified: true,
      verified_at: now,
      verified_in: 'live',
      created_at: now,
      key: { publicKey, sealedPrivateKey: Buffer.alloc(1) },
    });
    selector = row.selector;
  });
  afterAll(() => database.drop());
  beforeEach(() => room.zone.replaceZone(well()));

  const dkimAt = () => dkimName({ selector, domain: 'shop.example' });
  const well = (): DnsZone => ({
    [HOST]: { A: [ADDRESS], TXT: ['v=spf1 a mx -all'] },
    [dkimAt()]: { TXT: [dkimValue(publicKey)] },
    'shop.example': { TXT: [`v=spf1 include:${HOST} ~all`] },
    '_dmarc.shop.example': { TXT: ['v=DMARC1; p=reject'] },
  });
  const find = () => room.find(domainsCheck, { context: { db: database.db } });

  it('asks for reports that nothing says we want', async () => {
    room.zone.set('_dmarc.shop.example', { TXT: [`v=DMARC1; p=reject; rua=mailto:dmarc+x@${HOST}!10m`] });
    const [found, ...more] = await find();
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      level: 'warn',
      seen: `The DMARC record of shop.example sends its reports to ${HOST}, and no record at shop.example._report._dmarc.${HOST} permits it.`,
      fix: `Publish: *._report._dmarc.${HOST}. TXT "v=DMARC1"`,
    });
    room.zone.set(`shop.example._report._dmarc.${HOST}`, { TXT: ['v=DMARC1'] });
    expect(summaryOf(await find())).toEqual([
      expect.stringMatching(/^ok: The records of shop.example are right/),
    ]);
    room.zone.set(`shop.example._report._dmarc.${HOST}`, 'SERVFAIL');
    expect((await find())[0]?.level).toBe('unknown');
  });

  it('is well, and DMARC passes by DKIM', async () => {
    expect(summaryOf(await find())).toEqual([
      `ok: The records of shop.example are right. DMARC (p=reject) passes by DKIM alone: SPF counts for the return path ${HOST}, which does not belong to it.`,
    ]);
  });

  it('has a return path of its own, and SPF counts as well', async () => {
    room.zone.set('bounces.shop.example', { MX: [[10, HOST]], TXT: [`v=spf1 include:${HOST} ~all`] });
    expect(summaryOf(await find())).toEqual([
      'ok: The records of shop.example are right. DMARC (p=reject) passes by DKIM and by SPF (return path bounces.shop.example).',
    ]);
    room.zone.set('_dmarc.shop.example', { TXT: ['v=DMARC1; p=reject; aspf=s'] });
    expect((await find())[0]?.seen).toContain('bounces.shop.example, which is another name (aspf=s)');
  });

  it('has only half of a return path of its own', async () => {
    room.zone.set('bounces.shop.example', { MX: [[10, HOST]] });
    expect(await find()).toEqual([
      expect.objectContaining({
        level: 'warn',
        seen: `bounces.shop.example has an MX record to ${HOST}, and no SPF record that lets it send.`,
        fix: `Publish: bounces.shop.example. MX 10 ${HOST}. and bounces.shop.example. TXT "v=spf1 include:${HOST} ~all", or remove the present records.`,
      }),
    ]);
    room.zone.set('bounces.shop.example', { MX: [[10, 'mx.other.example']] });
    expect((await find())[0]?.seen).toContain('not only to');
  });

  it('has no DKIM record: receivers do what its policy asks', async () => {
    room.zone.remove(dkimAt());
    const [dkim, dmarc] = await find();
    const publish = `Publish: ${dnsRecordLine(dkimAt(), 'TXT', dkimValue(publicKey))}`;
    expect(dkim).toMatchObject({ level: 'bad', fix: publish });
    expect(dmarc).toMatchObject({
      level: 'bad',
      why: 'Receivers refuse all mail of the domain, as the record requests.',
    });
    room.zone.set('_dmarc.shop.example', { TXT: ['v=DMARC1; p=none'] });
    expect((await find())[1]?.level).toBe('warn');
  });

  it('has a right SPF record, and includes one of the host that is not', async () => {
    room.zone.set(HOST, { A: [ADDRESS], TXT: ['v=spf1 ip4:192.0.2.1 -all'] });
    const [spf] = await find();
    expect(spf).toMatchObject({
      level: 'bad',
      fix: `This record is right; fix that of ${HOST}, which it includes: \`host_spf\` says how.`,
    });
  });

  it('has no SPF record', async () => {
    room.zone.remove('shop.example');
    const [spf] = await find();
    expect(spf).toMatchObject({
      level: 'bad',
      fix: `Publish: shop.example. TXT "v=spf1 include:${HOST} ~all"`,
    });
  });

  it.each<[string, readonly string[] | undefined, string]>([
    ['missing', undefined, 'shop.example has no DMARC record.'],
    [
      'there twice',
      ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
      'There are 2 DMARC records at _dmarc.shop.example',
    ],
    [
      'wrong',
      ['v=DMARC1; p=mon\u001b[31mitor'],
      'its policy "mon?[31mitor" is none of none, quarantine, reject',
    ],
    ['without a policy', ['v=DMARC1; rua=mailto:a@b.example'], 'the tag p= is missing'],
  ])('has a DMARC record that is %s', async (_what, TXT, words) => {
    if (TXT === undefined) room.zone.remove('_dmarc.shop.example');
    else room.zone.set('_dmarc.shop.example', { TXT });
    const [found, ...others] = await find();
    expect(others).toEqual([]);
    expect(found?.level).toBe('warn');
    expect(found?.seen).toContain(words);
  });

  it('is not judged where DNS does not answer', async () => {
    room.zone.set(dkimAt(), 'SERVFAIL');
    room.zone.set('_dmarc.shop.example', 'SERVFAIL');
    expect((await find()).map(({ level }) => level)).toEqual(['unknown', 'unknown']);
  });

  it('of our own signs beside it, once it has a key and a record', async () => {
    const own = (POSTRIDER_DKIM_DOMAIN: string) =>
      room.find(ownDkimCheck, { env: { POSTRIDER_DKIM_DOMAIN }, context: { db: database.db } });
    expect(await room.find(ownDkimCheck)).toEqual([]);
    expect((await own('host.example'))[0]).toMatchObject({
      level: 'unknown',
      seen: 'host.example has no key yet.',
    });
    const key = { domain: 'host.example', selector: 'pr1', publicKey, sealedPrivateKey: Buffer.alloc(1) };
    await insertOwnKey(database.db, key, new Date());
    const fix = `Publish: ${dnsRecordLine('pr1._domainkey.host.example', 'TXT', dkimValue(publicKey))}`;
    expect((await own('host.example'))[0]).toMatchObject({ level: 'warn', fix });
    room.zone.set('pr1._domainkey.host.example', { TXT: [dkimValue(publicKey)] });
    expect((await own('host.example'))[0]?.level).toBe('ok');
    room.zone.set('pr1._domainkey.host.example', 'SERVFAIL');
    expect((await own('host.example'))[0]?.level).toBe('unknown');
  });

  it('cannot send yet, and is no emergency', async () => {
    const { db } = database;
    await db.exec(adHoc('UPDATE domains SET spf_verified = false'));
    room.zone.remove('shop.example');
    expect((await find()).map(({ level }) => level)).toEqual(['warn']);
    await db.exec(adHoc('UPDATE domains SET public_key = NULL, private_key = NULL'));
    expect(summaryOf(await find())).toEqual([
      'unknown: shop.example has no DKIM key yet; a worker creates the key.',
    ]);
    await db.exec(adHoc('DELETE FROM domains'));
    expect(await find()).toEqual([
      expect.objectContaining({ level: 'unknown', fix: 'npx postrider domain add DOMAIN --org ID' }),
    ]);
  });
});
