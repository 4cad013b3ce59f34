import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { DnsCheck } from '../verify.ts';
import { exportedFile } from './file.ts';
import { type DomainToExport, type ExportChoice, type ExportSource, exportRecords } from './records.ts';

const HOST = 'mail.host.test';
const KEY = Buffer.alloc(294, 7);

function domain(name: string, more: Partial<DomainToExport> = {}): DomainToExport {
  const row = {
    id: `dom_${name}`,
    domain: name,
    selector: 'pr1',
    public_key: KEY,
    checks: null,
    rotation: null,
  };
  return { ...row, ...more } as unknown as DomainToExport;
}

function check(record: DnsCheck['record'], more: Partial<DnsCheck>): DnsCheck {
  return { record, status: 'pass', type: 'TXT', name: '', expected: '', found: [], message: '', ...more };
}

function exported(
  rows: readonly DomainToExport[],
  choice: ExportChoice = {},
  more: Partial<ExportSource> = {},
) {
  const source = { rows, receiving: [], host: HOST, trackingTarget: 'post.host.test', sts: null };
  const reportsTo = () => ({ dmarc: null, tls: null });
  return exportRecords({ ...source, reportsTo, ...more }, choice);
}

const short = (found: ReturnType<typeof exported>) =>
  found.records.map(({ zone, name, type }) => `${zone}: ${name} ${type}`);
const tracking = (host: string) => ({ tracking: { host } }) as Partial<DomainToExport>;

describe('exported records', () => {
  it("are those that each domain's owner publishes, grouped by zone", () => {
    const found = exported([domain('shop.example.org'), domain('other.example')]);
    expect(short(found)).toEqual([
      'example.org: shop.example.org TXT',
      'example.org: _dmarc.shop.example.org TXT',
      'example.org: bounces.shop.example.org MX',
      'example.org: bounces.shop.example.org TXT',
      'example.org: pr1._domainkey.shop.example.org TXT',
      'other.example: other.example TXT',
      'other.example: _dmarc.other.example TXT',
      'other.example: bounces.other.example MX',
      'other.example: bounces.other.example TXT',
      'other.example: pr1._domainkey.other.example TXT',
    ]);
  });

  it('include those of the sending host on request', () => {
    const found = exported([domain('a.example'), domain('b.example')], { withHost: true });
    expect(short(found).filter((one) => one.startsWith('host.test'))).toEqual([
      'host.test: mail.host.test MX',
      'host.test: mail.host.test TXT',
    ]);
  });

  it('are limited to one zone on request', () => {
    const found = exported([domain('shop.example.org'), domain('other.example')], {
      zone: 'shop.example.org',
    });
    expect(new Set(found.records.map(({ zone }) => zone))).toEqual(new Set(['shop.example.org']));
    expect(found.records).toHaveLength(5);
  });

  it('keep the other senders of an existing SPF record', () => {
    const checks = [check('spf', { expected: 'v=spf1 include:_spf.other.test include:mail.host.test ~all' })];
    const found = exported([domain('a.example', { checks })]);
    expect(found.records[0]?.value).toBe('v=spf1 include:_spf.other.test include:mail.host.test ~all');
  });

  it('keep a correct DMARC record, and do not repeat one of a parent domain', () => {
    const own = check('dmarc', { name: '_dmarc.a.example', expected: 'v=DMARC1; p=reject' });
    const above = check('dmarc', { name: '_dmarc.b.example', expected: 'v=DMARC1; p=reject' });
    const found = exported([
      domain('a.example', { checks: [own] }),
      domain('x.b.example', { checks: [above] }),
    ]);
    expect(found.records.filter(({ name }) => name.startsWith('_dmarc'))).toEqual([
      { zone: 'a.example', name: '_dmarc.a.example', type: 'TXT', value: 'v=DMARC1; p=reject' },
    ]);
  });

  it('include both keys during a rotation', () => {
    const rotation = { status: 'waiting_for_dns', selector: 'pr2', public_key: KEY, last_check: null };
    const found = exported([domain('a.example', { rotation } as unknown as Partial<DomainToExport>)]);
    expect(short(found)).toEqual(
      expect.arrayContaining([
        'a.example: pr1._domainkey.a.example TXT',
        'a.example: pr2._domainkey.a.example TXT',
      ]),
    );
  });

  it('omit records that cannot coexist with a CNAME', () => {
    const found = exported([domain('a.example', tracking('bounces.a.example'))]);
    expect(found.leftOut.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'bounces.a.example MX',
      'bounces.a.example TXT',
    ]);
    const needed = exported(
      [domain('a.example', tracking('in.a.example'))],
      {},
      {
        receiving: [{ name: 'in.a.example', domain_id: 'dom_a.example' }],
      },
    );
    expect(needed.leftOut.map(({ name, type }) => `${name} ${type}`)).toEqual(['in.a.example CNAME']);
  });
});

describe('exported files', () => {
  const rows = [domain('a10.example.org'), domain('a2.example.org', tracking('links.a2.example.org'))];

  it('are a zone file in ASCII with one line for each record', () => {
    const found = exported(rows);
    const lines = exportedFile('zone', found)
      .text.split('\n')
      .filter((one) => !/^(;|$)/.test(one));
    expect(lines).toHaveLength(found.records.length);
    expect(lines[0]).toBe('a2.example.org.\t3600\tIN\tTXT\t"v=spf1 include:mail.host.test ~all"');
    const dkim = lines.find((one) => one.startsWith('pr1._domainkey.a2'));
    expect(dkim).toMatch(/\t"v=DKIM1; k=rsa; p=[^"]{237}" "[^"]+"$/);
  });

  it('are a local value for Terraform, with template syntax escaped', () => {
    const checks = [check('spf', { expected: 'v=spf1 exists:%{i}.a.example include:mail.host.test ~all' })];
    const { locals } = JSON.parse(
      exportedFile('terraform', exported([domain('a.example', { checks })])).text,
    );
    expect(locals.postrider_dns_records['a.example TXT']).toEqual({
      ...{ zone: 'a.example', name: 'a.example', type: 'TXT', ttl: 3600 },
      values: ['v=spf1 exists:%%{i}.a.example include:mail.host.test ~all'],
      strings: [['v=spf1 exists:%%{i}.a.example include:mail.host.test ~all']],
    });
    const key = locals.postrider_dns_records['pr1._domainkey.a.example TXT'];
    expect(key.strings[0].map((one: string) => one.length)).toEqual([255, expect.any(Number)]);
    expect(key.strings[0].join('')).toBe(key.values[0]);
  });

  it('are a document for each zone for octoDNS, with ordered keys and escaped semicolons', () => {
    const { text } = exportedFile('octodns', exported([...rows, domain('other.example')]));
    const documents = parseAllDocuments(text).map(
      (one) => one.toJS({ mapAsMap: true }) as Map<string, unknown>,
    );
    expect(documents).toHaveLength(2);
    expect([...(documents[0]?.keys() ?? [])]).toEqual([
      ...['_dmarc.a2', '_dmarc.a10', 'a2', 'a10', 'bounces.a2', 'bounces.a10', 'links.a2'],
      ...['pr1._domainkey.a2', 'pr1._domainkey.a10'],
    ]);
    const first = parse(text.split('---\n')[1] ?? '');
    expect(first['_dmarc.a2']).toEqual([{ ttl: 3600, type: 'TXT', values: ['v=DMARC1\\; p=none'] }]);
    expect(first['links.a2']).toEqual([{ ttl: 3600, type: 'CNAME', value: 'post.host.test.' }]);
    expect(first['bounces.a2'][0].values).toEqual([{ exchange: 'mail.host.test.', preference: 10 }]);
    expect([...(documents[1]?.keys() ?? [])]).toContain('');
  });
});
