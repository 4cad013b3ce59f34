/** Reports in the formats and archives of real receivers. */
import { describe, expect, it } from 'vitest';
import {
  type Attachment,
  gzipped,
  reportMail,
  sampleReport,
  zipped,
} from '../../../test/support/report-mail.ts';
import { readAggregate } from './read-aggregate.ts';

async function read(attachment: Attachment, kind: 'dmarc' | 'tls' = 'dmarc') {
  const found = await readAggregate(reportMail(attachment), kind);
  if (!found.ok) throw new Error(found.why);
  return found.report;
}

const plain = (text: string, type = 'text/xml'): Attachment => ({
  name: 'report.xml',
  type,
  bytes: Buffer.from(text),
});

describe('reports of DMARC', () => {
  it('of Google come in a zip archive, with senders and results', async () => {
    const report = await read(
      zipped(sampleReport('google.xml'), 'google.com!example.com!1794787200!1794873599.zip'),
    );
    expect(report).toMatchObject({
      kind: 'dmarc',
      reporter: 'google.com',
      reportId: '10671034870293784235',
      domain: 'example.com',
      beginsAtMs: Date.UTC(2026, 10, 16),
      endsAtMs: Date.UTC(2026, 10, 16, 23, 59, 59),
    });
    expect(report.rows).toEqual([
      {
        sourceIp: '192.0.2.25',
        messages: 412,
        disposition: 'none',
        dkimAligned: true,
        spfAligned: false,
        headerFrom: 'example.com',
        envelopeFrom: null,
        dkimDomain: 'example.com',
        dkimResult: 'pass',
        spfDomain: 'mail.postrider.example',
        spfResult: 'pass',
      },
      {
        sourceIp: '203.0.113.9',
        messages: 90,
        disposition: 'none',
        dkimAligned: false,
        spfAligned: false,
        headerFrom: 'example.com',
        envelopeFrom: null,
        dkimDomain: null,
        dkimResult: null,
        spfDomain: 'crm.example.net',
        spfResult: 'pass',
      },
    ]);
  });

  it('of Microsoft come gzipped, with namespaces and several signatures, and the passing signature counts', async () => {
    const report = await read(
      gzipped(sampleReport('microsoft.xml'), 'enterprise.protection.outlook.com!a.xml.gz'),
    );
    expect(report.reporter).toBe('Enterprise Outlook');
    expect(report.rows).toMatchObject([
      {
        sourceIp: '2001:db8:0:25::25',
        messages: 7,
        dkimDomain: 'example.com',
        envelopeFrom: 'bounces.example.com',
      },
    ]);
  });

  it('of Yahoo have extra spaces, and include refused mail', async () => {
    const report = await read(gzipped(sampleReport('yahoo.xml')));
    expect(report.rows).toMatchObject([{ messages: 3, disposition: 'reject', dkimResult: 'permerror' }]);
  });

  it('of Mail.ru have a different order of elements', async () => {
    const report = await read(zipped(sampleReport('mailru.xml')));
    expect(report).toMatchObject({ reporter: 'Mail.Ru', rows: [{ sourceIp: '192.0.2.25', messages: 2 }] });
  });

  it('of Fastmail follow RFC 9990, whose disposition for good mail is pass', async () => {
    const report = await read(gzipped(sampleReport('fastmail.xml')));
    expect(report).toMatchObject({
      reporter: 'Fastmail Pty Ltd',
      rows: [{ messages: 5, disposition: 'none', dkimAligned: true, spfAligned: true }],
    });
  });

  it('are read whatever their content type and file name', async () => {
    const xml = sampleReport('google.xml');
    const expected = await read(zipped(xml));
    for (const attachment of [
      plain(xml),
      plain(`\ufeff${xml}`, 'application/xml'),
      plain(xml, 'text/plain'),
      plain(xml, 'application/octet-stream'),
      gzipped(xml, 'report.xml.gz', 'application/octet-stream'),
      gzipped(xml, 'report.zip', 'application/zip'),
      gzipped(xml, 'report', 'application/x-gzip'),
      gzipped(xml, 'report.xml', 'text/xml'),
      zipped(xml, 'report.xml.gz', 'application/gzip'),
      zipped(xml, 'report.zip', 'application/x-zip-compressed'),
    ]) {
      expect(await read(attachment)).toEqual(expected);
    }
  });

  it('may be the whole message', async () => {
    const raw = Buffer.from(`Content-Type: text/xml\r\nSubject: report\r\n\r\n${sampleReport('google.xml')}`);
    expect(await readAggregate(raw, 'dmarc')).toMatchObject({ ok: true, report: { reporter: 'google.com' } });
  });

  it('with prefixed names are read like any other', async () => {
    const xml = sampleReport('google.xml').replace(/<(\/?)([a-z_]+)>/g, '<$1d:$2>');
    expect(await read(plain(xml))).toEqual(await read(plain(sampleReport('google.xml'))));
  });

  it('with many rows keep the largest and add up the rest', async () => {
    const [head = '', , tail = ''] = sampleReport('google.xml').split(/(<record>[\s\S]*<\/record>)/);
    const rows = Array.from({ length: 1_500 }, (_, n) => {
      const row = `<source_ip>10.0.${n >> 8}.${n & 255}</source_ip><count>${n + 1}</count>`;
      return `<record><row>${row}<policy_evaluated><dkim>pass</dkim></policy_evaluated></row></record>`;
    });
    const report = await read(gzipped(head + rows.join('') + tail));
    expect(report.rows).toHaveLength(1_001);
    expect(report.rows[0]).toMatchObject({ sourceIp: '10.0.5.219', messages: 1_500 });
    expect(report.rows.at(-1)).toMatchObject({
      sourceIp: null,
      messages: (500 * 501) / 2,
      dkimAligned: true,
    });
  });
});

describe('reports about TLS', () => {
  it('count successful sessions, and failures by reason', async () => {
    const report = await read(
      gzipped(sampleReport('tls.json'), 'report.json.gz', 'application/tlsrpt+gzip'),
      'tls',
    );
    expect(report).toMatchObject({
      kind: 'tls',
      reporter: 'Google Inc.',
      domain: 'example.com',
      beginsAtMs: Date.UTC(2026, 10, 15),
    });
    expect(
      report.rows.map((row) => ('sessions' in row ? [row.failure, row.mxHost, row.sessions] : [])),
    ).toEqual([
      [null, null, 5326],
      ['certificate-expired', 'mx1.example.com', 100],
      ['starttls-not-supported', 'mx2.example.com', 200],
      ['unspecified', null, 3],
    ]);
  });

  it('come as plain JSON as well', async () => {
    const bytes = Buffer.from(sampleReport('tls.json'));
    expect((await read({ name: 'r.json', type: 'application/tlsrpt+json', bytes }, 'tls')).domain).toBe(
      'example.com',
    );
  });
});
