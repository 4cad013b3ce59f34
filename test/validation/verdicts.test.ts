/** The table of verdicts, row by row, against a DNS server on loopback. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIL_HOST, startValidation, TAKES_MAIL, type TestValidation } from '../support/validation.ts';

let validation: TestValidation;

const TAKING = [
  'gmail.com',
  'siemens.com',
  'gmial.com',
  'hotmaik.com',
  'hey.com',
  'proton.me',
  'mailinator.com',
  'abc.mailinator.com',
  'guerrillamail.com',
  'duck.com',
  'qq.com',
  'wp.pl',
  'corp.com',
  'nus.edu.sg',
  'xn--mnchen-3ya.de',
  // раураl.com: Cyrillic with a Latin l
  'xn--l-7sba6dbr.com',
];

beforeAll(async () => {
  validation = await startValidation({
    ...MAIL_HOST,
    ...Object.fromEntries(TAKING.map((domain) => [domain, TAKES_MAIL])),
    'example.com': { MX: [[0, '.']] },
    'null-mx.com': { MX: [[0, '.']], A: ['93.184.216.34'] },
    'null-mx-and-more.com': {
      MX: [
        [0, '.'],
        [10, 'mx.mail-host.com'],
      ],
    },
    'only-a-record.com': { A: ['93.184.216.34'] },
    'nothing-at-all.com': { TXT: ['hello'] },
    'resolver-timeout.com': 'TIMEOUT',
    'resolver-servfail.com': 'SERVFAIL',
    'resolver-refused.com': 'REFUSED',
    'mx-is-127-0-0-1.com': { MX: [[10, '127.0.0.1']] },
    'mx-is-private.com': { MX: [[10, 'mx.mx-is-private.com']] },
    'mx.mx-is-private.com': { A: ['10.0.0.1'], AAAA: ['fe80::1'] },
    'mx-is-nowhere.com': { MX: [[10, 'mx.gone.com']] },
    'mx-host-unknown.com': { MX: [[10, 'mx.resolver-servfail.com']] },
    'mx.resolver-servfail.com': 'SERVFAIL',
    'second-mx-works.com': {
      MX: [
        [20, 'mx.mail-host.com'],
        [10, 'mx.gone.com'],
      ],
    },
    'v6-only.com': { MX: [[10, 'mx.v6-only.com']] },
    'mx.v6-only.com': { AAAA: ['2606:2800:220:1:248:1893:25c8:1946'] },
    'implicit-private.com': { A: ['192.168.1.1'] },
    'mail-only.com': { MX: [[10, 'mx.mail-host.com']] },
  });
});
afterAll(() => validation.stop());

type Row = [email: string, score: number, verdict: string, signals: string[]];

const ROWS: Row[] = [
  ['jane.doe@gmail.com', 0, 'deliverable', []],
  ['jane.doe+invoices@gmail.com', 0, 'deliverable', []],
  ['j.smith@siemens.com', 0, 'deliverable', []],
  ['support@siemens.com', 0.15, 'deliverable', ['role_address']],
  ['noreply@siemens.com', 0.4, 'risky', ['unread_address']],
  ['info@gmail.com', 0.15, 'deliverable', ['role_address']],
  ['jane@gmial.com', 0.75, 'undeliverable', ['known_typo']],
  ['jane@gmail.con', 0.95, 'undeliverable', ['domain_not_found', 'unknown_tld']],
  ['jane@hotmaik.com', 0.4, 'risky', ['likely_typo']],
  ['jane@hey.com', 0, 'deliverable', []],
  ['jane@proton.me', 0, 'deliverable', []],
  ['jane@mailinator.com', 0.65, 'risky', ['disposable_domain']],
  ['jane@abc.mailinator.com', 0.65, 'risky', ['disposable_domain']],
  ['x7k2q9z4w1@guerrillamail.com', 0.69, 'risky', ['disposable_domain', 'very_random_local_part']],
  ['jane@duck.com', 0.15, 'deliverable', ['relay_domain']],
  ['x7k2q9z4w1@gmail.com', 0.3, 'risky', ['very_random_local_part']],
  ['zhangxq@qq.com', 0.15, 'deliverable', ['random_local_part']],
  ['wojciech.brzeczyszczykiewicz@wp.pl', 0, 'deliverable', []],
  ['jane@example.com', 0.95, 'undeliverable', ['special_use_domain']],
  ['jane@foo.test', 0.95, 'undeliverable', ['special_use_domain']],
  ['jane@no-such-domain-zzz.com', 0.95, 'undeliverable', ['domain_not_found']],
  ['bob@only-a-record.com', 0.4, 'risky', ['implicit_mx']],
  ['bob@resolver-timeout.com', 0.2, 'deliverable', ['dns_unknown']],
  ['bob@mx-is-127-0-0-1.com', 0.85, 'undeliverable', ['unroutable_mx']],
  ['jane@localhost', 1, 'undeliverable', ['malformed_address']],
  ['jane@[192.0.2.1]', 0.6, 'risky', ['address_literal']],
  ['"john smith"@corp.com', 0.35, 'risky', ['quoted_local_part']],
  ['jane..doe@gmail.com', 1, 'undeliverable', ['malformed_address']],
  ['jürgen@münchen.de', 0.1, 'deliverable', ['smtputf8_required']],
  ['jane@xn--mnchen-3ya.de', 0, 'deliverable', []],
  ['jane@раураl.com', 0.45, 'risky', ['mixed_scripts']],
  ['"\rx"@corp.com', 1, 'undeliverable', ['malformed_address']],
  ['x\r\n@corp.com', 1, 'undeliverable', ['malformed_address']],
  ['student@nus.edu.sg', 0, 'deliverable', []],
];

describe('the verdict', () => {
  it.each(ROWS)('of %j is %d, %s', async (email, score, verdict, signals) => {
    const result = await validation.one(email);
    expect([result.signals, result.score, result.verdict]).toEqual([signals, score, verdict]);
  });

  it('of a domain that few lists name is risky', async () => {
    const { suspected, providers } = validation.deps.lists;
    const domain = '8chan.co';
    expect([suspected.has(domain), providers.has(domain)]).toEqual([true, false]);
    validation.zone.set(domain, TAKES_MAIL);
    const result = await validation.one(`jane@${domain}`);
    expect([result.signals, result.score, result.verdict]).toEqual([['suspected_disposable'], 0.35, 'risky']);
  });
});

type MxRow = [domain: string, status: string, reason: string, score: number];

const MX_ROWS: MxRow[] = [
  ['gmail.com', 'pass', 'mx_found', 0],
  ['null-mx.com', 'fail', 'null_mx', 0.95],
  ['null-mx-and-more.com', 'warn', 'stray_null_mx', 0],
  ['nothing-at-all.com', 'fail', 'no_mail_host', 0.9],
  ['resolver-servfail.com', 'unknown', 'dns_unavailable', 0.2],
  ['resolver-refused.com', 'unknown', 'dns_unavailable', 0.2],
  ['resolver-timeout.com', 'unknown', 'dns_unavailable', 0.2],
  ['mx-is-private.com', 'fail', 'bad_mx', 0.85],
  ['mx-is-nowhere.com', 'fail', 'bad_mx', 0.85],
  ['mx-host-unknown.com', 'pass', 'mx_found', 0],
  ['second-mx-works.com', 'pass', 'mx_found', 0],
  ['v6-only.com', 'pass', 'mx_found', 0],
  ['implicit-private.com', 'fail', 'bad_mx', 0.85],
  ['mail-only.com', 'pass', 'mx_found', 0],
];

describe('the MX check', () => {
  it.each(MX_ROWS)('of %s is %s (%s)', async (domain, status, reason, score) => {
    const result = await validation.one(`bob@${domain}`);
    expect(result.checks.mx).toMatchObject({ status, reason });
    expect(result.score).toBe(score);
  });

  it('lists the records by priority', async () => {
    const { checks } = await validation.one('bob@second-mx-works.com');
    expect(checks.mx.records).toEqual([
      { priority: 10, exchange: 'mx.gone.com' },
      { priority: 20, exchange: 'mx.mail-host.com' },
    ]);
  });
});

describe('the DNS check', () => {
  it('passes with the addresses of the domain', async () => {
    expect((await validation.one('bob@gmail.com')).checks.dns).toMatchObject({
      status: 'pass',
      addresses: ['93.184.216.34'],
    });
  });

  it('passes a domain that has only mail hosts', async () => {
    const { dns } = (await validation.one('bob@mail-only.com')).checks;
    expect(dns).toMatchObject({ status: 'pass', reason: 'mail_only', addresses: [] });
  });

  it.each([
    ['no-such-domain-zzz.com', 'fail', 'domain_not_found'],
    ['nothing-at-all.com', 'fail', 'no_records'],
    ['resolver-timeout.com', 'unknown', 'dns_unavailable'],
  ])('of %s is %s (%s)', async (domain, status, reason) => {
    expect((await validation.one(`bob@${domain}`)).checks.dns).toMatchObject({ status, reason });
  });
});

describe('doubt about DNS', () => {
  it('is left out of the score for decisions that it must not make', async () => {
    const result = await validation.one('support@resolver-timeout.com');
    expect([result.score, result.scoreWithoutDnsDoubt]).toEqual([0.32, 0.15]);
  });
});

describe('the look of a domain', () => {
  it('is named where it imitates another', async () => {
    const { syntax } = (await validation.one('jane@раураl.com')).checks;
    expect(syntax).toMatchObject({ status: 'warn', reason: 'mixed_script', similar_domain: 'paypal.com' });
  });

  it('is named also when all letters are of one other script', async () => {
    const result = await validation.one('jane@уаһоо.com');
    expect(result.checks.syntax).toMatchObject({ reason: 'lookalike', similar_domain: 'yahoo.com' });
  });
});
