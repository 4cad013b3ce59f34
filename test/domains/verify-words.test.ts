/** What people read when they verify a domain: real lookups, against a DNS server on loopback. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dkimValue } from '../../src/domains/dns-records.ts';
import { createSenders } from '../../src/domains/senders.ts';
import { checkDomain, createTxtLookups, type DnsCheck } from '../../src/domains/verify.ts';
import { createResolver, type Resolver } from '../../src/protocols/dns/resolver.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { type DnsRecords, type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

const HOST = 'mail.host.test';
const DOMAIN = 'example.org';
const SELECTOR = 'pr0123456789ab';
const DKIM_NAME = `${SELECTOR}._domainkey.${DOMAIN}`;
const publicKey = newKey();
const OUR_DKIM = dkimValue(publicKey);
const OUR_SPF = `v=spf1 include:${HOST} ~all`;

let zone: DnsZoneServer;
let resolver: Resolver;
beforeAll(async () => {
  zone = await startDnsZone();
  // On a busy machine an answer over loopback can take longer than a tenth of a second.
  resolver = createResolver({ clock: systemClock, servers: [zone.address], timeoutMs: 1_500, tries: 1 });
});
afterAll(async () => {
  resolver.close();
  await zone.stop();
});
afterEach(() => zone.replaceZone({}));

function newKey(): Buffer {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
}

type Txt = DnsRecords['TXT'];

/** Publishes what is given, asks, and returns the check of one record. */
async function check(
  record: DnsCheck['record'],
  published: { dkim?: Txt; spf?: Txt; host?: Txt },
): Promise<DnsCheck> {
  const { dkim = [OUR_DKIM], spf = [OUR_SPF], host = ['v=spf1 a -all'] } = published;
  zone.set(DKIM_NAME, { TXT: dkim });
  zone.set(DOMAIN, { TXT: spf });
  zone.set(HOST, { TXT: host });
  const lookUp = createTxtLookups(resolver, systemClock)();
  const { checks } = await checkDomain(lookUp, { domain: DOMAIN, selector: SELECTOR, publicKey }, HOST);
  const found = checks.find((one) => one.record === record);
  if (found === undefined) throw new Error(`there is no check of ${record}`);
  return found;
}

describe('the record of the sending host', () => {
  const BROKEN =
    'Receivers ignore the whole record then. The operator of this server publishes a TXT record at mail.host.test with the value: v=spf1 a mx -all';

  it.each([
    ['is missing', ['some-verification=1'], 'which has no SPF record'],
    ['is there twice', ['v=spf1 a -all', 'v=spf1 mx -all'], 'which has more than one SPF record'],
    ['is malformed', ['v=spf1 foo'], 'whose SPF record has an error'],
  ])('%s, and no domain that includes it is verified', async (_what, host, problem) => {
    expect(await check('spf', { host })).toMatchObject({
      status: 'fail',
      expected: OUR_SPF,
      message: `The SPF record of example.org includes mail.host.test, ${problem}. ${BROKEN}`,
    });
    expect(await check('sending_host', { host })).toMatchObject({ status: 'fail', name: HOST });
  });

  /** As it is when the addresses are known from which this server sends. */
  async function checkFrom(address: string, published: { spf?: Txt; host: DnsRecords }): Promise<DnsCheck> {
    zone.set(DKIM_NAME, { TXT: [OUR_DKIM] });
    zone.set(DOMAIN, { TXT: published.spf ?? [OUR_SPF] });
    zone.set(HOST, published.host);
    const config = parseConfig({ POSTRIDER_HOSTNAME: HOST, POSTRIDER_SENDING_ADDRESSES: address });
    const senders = await createSenders(resolver, config, systemClock)();
    const lookUp = createTxtLookups(resolver, systemClock)();
    const domain = { domain: DOMAIN, selector: SELECTOR, publicKey };
    const { checks } = await checkDomain(lookUp, domain, HOST, senders);
    return checks.find((one) => one.record === 'spf') as DnsCheck;
  }

  it('covers the address that mail comes from', async () => {
    const host = { A: ['192.0.2.10'], TXT: ['v=spf1 a -all'] };
    expect((await checkFrom('192.0.2.10', { host })).status).toBe('pass');
    const direct = ['v=spf1 ip4:192.0.2.0/24 -all'];
    expect((await checkFrom('192.0.2.10', { host, spf: direct })).status).toBe('pass');
  });

  it('does not cover it', async () => {
    const host = { A: ['192.0.2.10'], TXT: ['v=spf1 a -all'] };
    expect(await checkFrom('192.0.2.11', { host })).toMatchObject({
      status: 'fail',
      message:
        'The SPF record of example.org includes mail.host.test, whose own record does not allow 192.0.2.11, from which this server sends: "v=spf1 a -all". The operator of this server adds ip4:192.0.2.11 to it.',
    });
  });

  it('makes the record of the domain need more lookups than receivers make', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `a:h${n}.test`).join(' ');
    const host = { A: ['192.0.2.10'], TXT: [`v=spf1 a ${names} -all`] };
    const spf = [`v=spf1 include:${HOST} mx a:w.test a:x.test -all`];
    expect(await checkFrom('192.0.2.10', { host, spf })).toMatchObject({
      status: 'fail',
      message:
        'With include:mail.host.test the SPF record of example.org needs 11 DNS lookups, and receivers stop at 10: mail from the others it names would fail. Change it to: v=spf1 ip4:192.0.2.10 mx a:w.test a:x.test -all (it names the addresses of mail.host.test, which cost no lookup; change them here when they change)',
    });
  });

  it('is not blamed for a record that needs too many lookups without it', async () => {
    const others = Array.from({ length: 12 }, (_, n) => `a:h${n}.test`).join(' ');
    const host = { A: ['192.0.2.10'], TXT: ['v=spf1 a -all'] };
    const spf = [`v=spf1 include:${HOST} ${others} -all`];
    expect(await checkFrom('192.0.2.10', { host, spf })).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('In all it needs 14 DNS lookups, and receivers stop at 10'),
    });
  });
});

describe('the SPF record', () => {
  const spf = (records: Txt) => check('spf', { spf: records });

  it('is right', async () => {
    expect(await spf([OUR_SPF])).toEqual({
      record: 'spf',
      status: 'pass',
      type: 'TXT',
      name: DOMAIN,
      expected: OUR_SPF,
      found: [OUR_SPF],
      message: 'The SPF record of example.org lets mail.host.test send.',
    });
  });

  it('is right when it is split into strings, written in capitals and with extra spaces', async () => {
    const { status, found } = await spf([['V=SPF1  INCLUDE:Mail.', 'HOST.test.   ~ALL']]);
    expect(status).toBe('pass');
    expect(found).toEqual(['V=SPF1  INCLUDE:Mail.HOST.test.   ~ALL']);
  });

  it('is missing', async () => {
    const checked = await spf(['some-verification=1']);
    expect(checked).toMatchObject({ status: 'fail', expected: OUR_SPF, found: [] });
    expect(checked.message).toBe(
      'example.org has no SPF record. Publish a TXT record at example.org with the value: v=spf1 include:mail.host.test ~all',
    );
  });

  it('is in quotation marks', async () => {
    const checked = await spf([`"${OUR_SPF}"`]);
    expect(checked).toMatchObject({ status: 'fail', found: [`"${OUR_SPF}"`] });
    expect(checked.message).toBe(
      'example.org has a TXT record that is meant as SPF but does not begin with v=spf1 and a space. Replace it with: v=spf1 include:mail.host.test ~all',
    );
  });

  it('is there twice', async () => {
    const checked = await spf(['v=spf1 include:_spf.google.test ~all', 'v=spf1 include:mail.host.test -all']);
    expect(checked.status).toBe('fail');
    expect(checked.message).toBe(
      'example.org has 2 SPF records, and receivers then use none of them. Replace them with one: v=spf1 include:mail.host.test include:_spf.google.test ~all',
    );
  });

  it('belongs to someone else', async () => {
    const checked = await spf(['v=spf1 mx ip4:192.0.2.7 -all']);
    expect(checked.expected).toBe('v=spf1 include:mail.host.test mx ip4:192.0.2.7 -all');
    expect(checked.message).toBe(
      'The SPF record of example.org does not include mail.host.test. Change it to: v=spf1 include:mail.host.test mx ip4:192.0.2.7 -all',
    );
  });

  it('redirects elsewhere, which stays behind our include', async () => {
    zone.set('other.test', { TXT: ['v=spf1 -all'] });
    const checked = await spf(['v=spf1 redirect=other.test']);
    expect(checked.message).toBe(
      'The SPF record of example.org does not include mail.host.test. Change it to: v=spf1 include:mail.host.test redirect=other.test',
    );
  });

  it('has our include behind its end', async () => {
    expect((await spf(['v=spf1 -all include:mail.host.test'])).message).toBe(
      'In the SPF record of example.org, "-all" stands before include:mail.host.test, and receivers stop reading there. Change it to: v=spf1 include:mail.host.test -all',
    );
  });

  it('says no in front of our include', async () => {
    expect((await spf(['v=spf1 ~include:mail.host.test -all'])).message).toBe(
      'The SPF record of example.org has "~include:mail.host.test", and the sign in front keeps it from allowing anything. Remove the "~".',
    );
  });

  it('is malformed', async () => {
    expect((await spf(['v=spf1 incude:mail.host.test ~all'])).message).toBe(
      'The SPF record of example.org has an error at "incude:mail.host.test": SPF has no such mechanism. Receivers ignore the whole record until it is corrected.',
    );
  });

  it('needs too many lookups', async () => {
    const others = Array.from({ length: 10 }, (_, n) => `a:h${n}.test`).join(' ');
    expect((await spf([`v=spf1 ${others} include:mail.host.test ~all`])).message).toBe(
      `The SPF record of example.org needs more than 10 DNS lookups, and receivers stop at 10. Change it to: v=spf1 include:mail.host.test ${others.replace(' a:h8.test a:h9.test', '')} ~all. It leaves out a:h8.test a:h9.test, for which there are not enough lookups: to keep one of them, remove others that are no longer used.`,
    );
  });

  it('reaches us through nested includes and a redirect', async () => {
    zone.set('a.test', { TXT: ['v=spf1 redirect=b.test'] });
    zone.set('b.test', { TXT: [['v=spf1 include:mail.', 'host.test -all']] });
    expect((await spf(['v=spf1 include:a.test -all'])).status).toBe('pass');
  });

  it('includes one that has no record', async () => {
    expect((await spf(['v=spf1 include:gone.test include:mail.host.test ~all'])).message).toBe(
      'The SPF record of example.org leads to gone.test, which has no SPF record. Receivers ignore the whole record then. Remove gone.test, or put include:mail.host.test first: v=spf1 include:mail.host.test include:gone.test ~all',
    );
  });

  it('is not answered for in time', async () => {
    const checked = await spf('TIMEOUT');
    expect(checked).toMatchObject({ status: 'unknown', found: [] });
    expect(checked.message).toBe(
      'DNS did not answer in time for example.org. Nothing was changed; check again in a few minutes.',
    );
  });

  it('cannot be answered for', async () => {
    expect((await spf('SERVFAIL')).message).toBe(
      'DNS could not answer for example.org (SERVFAIL): its name servers are failing or its DNSSEC is broken. Nothing was changed; check again in a few minutes.',
    );
    expect((await spf('REFUSED')).message).toBe(
      'DNS refused to answer for example.org. Nothing was changed; check again in a few minutes.',
    );
  });

  it('includes one that is not answered for', async () => {
    zone.set('slow.test', 'TIMEOUT');
    const checked = await spf(['v=spf1 include:slow.test include:mail.host.test ~all']);
    expect(checked.status).toBe('unknown');
    expect(checked.message).toMatch(/^DNS did not answer in time for slow\.test\./);
  });

  it('is shown without the bytes that would harm a terminal or a database', async () => {
    const checked = await spf([['v=spf1 a\u0000\u001b[31m -all']]);
    expect(checked.found).toEqual(['v=spf1 a\ufffd\ufffd[31m -all']);
    expect(checked.message).not.toMatch(/[\u0000\u001b]/);
  });
});

describe('the DKIM record', () => {
  const dkim = (records: Txt) => check('dkim', { dkim: records });

  it('is right', async () => {
    expect(await dkim([OUR_DKIM])).toEqual({
      record: 'dkim',
      status: 'pass',
      type: 'TXT',
      name: DKIM_NAME,
      expected: OUR_DKIM,
      found: [OUR_DKIM],
      message: `The DKIM key at ${DKIM_NAME} is the right one.`,
    });
  });

  it('is right when it is split anywhere, with its tags in another order', async () => {
    const p = publicKey.toString('base64');
    expect(
      (await dkim([[`k=rsa; p=${p.slice(0, 100)}`, p.slice(100, 300), `${p.slice(300)}; v=DKIM1`]])).status,
    ).toBe('pass');
  });

  it('is right behind a CNAME', async () => {
    zone.set('keys.elsewhere.test', { TXT: [OUR_DKIM] });
    const found = check('dkim', {});
    zone.set(DKIM_NAME, { CNAME: 'keys.elsewhere.test' });
    expect((await found).status).toBe('pass');
  });

  it('is missing', async () => {
    expect((await dkim('NXDOMAIN')).message).toBe(
      `There is no TXT record at ${DKIM_NAME}. Publish one there with the expected value. Many DNS panels add the domain automatically: then leave it out of the name.`,
    );
    expect((await dkim('NODATA')).status).toBe('fail');
  });

  it('is there twice', async () => {
    expect((await dkim([OUR_DKIM, 'v=DKIM1; p='])).message).toBe(
      `There are 2 TXT records at ${DKIM_NAME}, and receivers may use any of them. Keep only the one with the expected value.`,
    );
  });

  it.each([
    ['hello', 'is not a DKIM key: "hello" is not of the form tag=value. Replace it with the expected value.'],
    [
      'v=DKIM1; k=rsa',
      'is not a DKIM key: the tag p= with the key is missing. Replace it with the expected value.',
    ],
  ])('is malformed: %s', async (text, words) => {
    expect((await dkim([text])).message).toBe(`The TXT record at ${DKIM_NAME} ${words}`);
  });

  it.each([
    ['v=DKIM1; k=rsa; p=', 'is revoked: p= is empty. Replace the record with the expected value.'],
    [
      'v=DKIM1; k=ed25519; p=abcd',
      'is of the type k=ed25519, where k=rsa is needed. Replace the record with the expected value.',
    ],
    [
      `v=DKIM1; s=chat; p=abcd`,
      'is restricted by s=chat and cannot be used for our signatures. Replace the record with the expected value.',
    ],
    [dkimValue(newKey()), 'is not ours. Replace the record with the expected value.'],
    [
      OUR_DKIM.slice(0, 255),
      'is cut off in the middle. Publish the whole value; DNS panels that limit the length take it in several quoted strings of up to 255 characters.',
    ],
  ])('does not do: %.30s', async (text, words) => {
    const checked = await dkim([text]);
    expect(checked.status).toBe('fail');
    expect(checked.message).toBe(`The DKIM key at ${DKIM_NAME} ${words}`);
  });

  it('is not answered for in time', async () => {
    const checked = await dkim('TIMEOUT');
    expect(checked.status).toBe('unknown');
    expect(checked.message).toBe(
      `DNS did not answer in time for ${DKIM_NAME}. Nothing was changed; check again in a few minutes.`,
    );
  });
});

describe('the line about the sending host', () => {
  it('tells its operator when the record is missing', async () => {
    expect(await check('sending_host', { host: 'NODATA' })).toMatchObject({
      status: 'fail',
      name: HOST,
      message:
        'The sending host mail.host.test needs exactly one valid SPF record, which the records of all domains include. The operator of this server publishes it: v=spf1 a mx -all',
    });
  });

  it('is not spoken of when it is there', async () => {
    await expect(check('sending_host', {})).rejects.toThrow('there is no check of sending_host');
  });
});

it('gives up after fifteen seconds altogether, however many names are slow', async () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const deadlines: number[] = [];
  const lookUp = createTxtLookups(
    {
      txt: async (_name, how) => {
        deadlines.push(how?.deadlineMs ?? 0);
        clock.ms += 4_000;
        return { kind: 'none' };
      },
    },
    clock,
  )();
  for (let n = 0; n < 4; n += 1) await lookUp(`n${n}.test`);
  expect(await lookUp('late.test')).toEqual({ kind: 'unavailable', code: 'ETIMEOUT' });
  expect(deadlines).toEqual([5_000, 5_000, 5_000, 3_000]);
});

describe('the DMARC record', () => {
  const dmarc = (...texts: string[]) => {
    if (texts.length > 0) zone.set(`_dmarc.${DOMAIN}`, { TXT: texts });
    return check('dmarc', {});
  };

  it('is recommended where it is missing, and its lack stops nothing', async () => {
    expect(await dmarc()).toMatchObject({
      status: 'warn',
      name: '_dmarc.example.org',
      expected: 'v=DMARC1; p=none',
      message: expect.stringMatching(/^example.org has no DMARC record\. Large providers require one/),
    });
  });

  it('is told with what it does', async () => {
    expect(await dmarc('v=DMARC1; p=reject')).toMatchObject({
      status: 'pass',
      found: ['v=DMARC1; p=reject'],
      message: 'The DMARC record is right. Mail that fails DMARC is refused (p=reject).',
    });
  });

  it.each([
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], /^There are 2 DMARC records/],
    [['v=DMARC1; p=sometimes'], /has an error: its policy "sometimes" is none of none, quarantine, reject/],
  ])('is worth mending where it says %j', async (texts, message) => {
    expect(await dmarc(...texts)).toMatchObject({ status: 'warn', message: expect.stringMatching(message) });
  });

  it('is unknown where DNS gives no answer', async () => {
    zone.set(`_dmarc.${DOMAIN}`, 'SERVFAIL');
    expect(await dmarc()).toMatchObject({ status: 'unknown' });
  });
});
