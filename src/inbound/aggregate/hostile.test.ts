/** No input makes reading reports throw, work for long, or accept harmful data. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { gzipped, reportMail, sampleReport, zipOf, zipped } from '../../../test/support/report-mail.ts';
import { atOnce } from '../../runtime/sliced-work.ts';
import { readingDmarcReport } from './dmarc-report.ts';
import { readAggregate } from './read-aggregate.ts';
import { readTlsReport as readTlsPieces } from './tls-report.ts';
import { readingXml } from './xml.ts';

const xml = sampleReport('google.xml');
const json = sampleReport('tls.json');
const readTlsReport = (text: string) => readTlsPieces([text]);
const readDmarcReport = (text: string) => atOnce(readingDmarcReport([text]));
const whyNot = async (text: string | Buffer) => {
  const found = await readAggregate(reportMail(gzipped(text)), 'dmarc');
  return found.ok ? null : found.why;
};

describe('a malicious report', () => {
  it('is refused before any entity is defined if it has a document type', async () => {
    const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
    const bomb = `<?xml version="1.0"?><!DOCTYPE f [<!ENTITY l0 "lol">${laughs.join('')}]>`;
    expect(await whyNot(xml.replace(/^<\?xml[^>]*>/, bomb).replace('google.com', '&l10;'))).toContain(
      'document type',
    );
    const external = '<!DOCTYPE feedback SYSTEM "file:///etc/passwd">';
    expect(await whyNot(xml.replace('<feedback>', `${external}<feedback>`))).toContain('document type');
  });

  it('is refused if it names an undefined entity', async () => {
    expect(await whyNot(xml.replace('google.com', '&xxe;'))).toContain('entity');
  });

  it('is refused if it is a decompression bomb, in gzip or zip', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024, ' ');
    expect(await whyNot(zeros)).toContain('larger than any report');
    const inZip = await readAggregate(reportMail(zipped(zeros)), 'dmarc');
    expect(inZip).toMatchObject({ ok: false, why: expect.stringContaining('larger than any report') });
  });

  it('is refused if its compression ratio is implausible, even if it is not large', async () => {
    const found = await readAggregate(reportMail(gzipped(Buffer.alloc(8 * 1024 * 1024, ' '))), 'dmarc');
    expect(found).toMatchObject({ ok: false, why: expect.stringContaining('larger than any report') });
  });

  it('is refused if it is an archive of a thousand files, or of none', async () => {
    const files = Array.from({ length: 1_000 }, (_, n) => ({ name: `${n}.xml`, bytes: Buffer.from(xml) }));
    for (const many of [files, []]) {
      const zip = { name: 'a.zip', type: 'application/zip', bytes: zipOf(many) };
      const found = await readAggregate(reportMail(zip), 'dmarc');
      expect(found.ok).toBe(false);
    }
  });

  it('is refused if it is an archive in an archive', async () => {
    const inner = zipped(xml).bytes;
    for (const outer of [zipped(inner), gzipped(inner), zipped(gzipSync(xml)), gzipped(gzipSync(xml))]) {
      const found = await readAggregate(reportMail(outer), 'dmarc');
      expect(found).toMatchObject({ ok: false, why: 'It is an archive in an archive.' });
    }
  });

  it('is refused if it is five megabytes of one tag, of one value, or of opening tags', async () => {
    const long = 'a'.repeat(5_000_000);
    expect(readDmarcReport(`<feedback><${long}>`)).toMatchObject({ ok: false });
    expect(readDmarcReport(`<feedback ${long}="1">`)).toMatchObject({ ok: false });
    expect(readDmarcReport(`<feedback>${long}</feedback>`)).toMatchObject({ ok: false });
    expect(readDmarcReport('<a>'.repeat(2_000_000))).toMatchObject({ ok: false });
  });

  it('is read despite invalid bytes in a text, and refused if it is no XML', async () => {
    const bytes = Buffer.from(xml.replace('google.com', 'g\u00ff\u00feoogle'), 'latin1');
    expect(await readAggregate(reportMail(gzipped(bytes)), 'dmarc')).toMatchObject({ ok: true });
    expect(await whyNot(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x3c]))).toBe(
      'There is text outside of the XML.',
    );
  });

  it.each(['-1', '1000000000000000000', '1e9', '0x10', 'NaN', '', '9999999999999'])(
    'is refused if it counts %s messages',
    async (count) => {
      expect(await whyNot(xml.replace('<count>412', `<count>${count}`))).toContain('no valid count');
    },
  );

  it.each(['fe80::1%eth0', 'localhost', '300.1.1.1', '192.0.2.25/8', "'; DROP TABLE domains"])(
    'is refused if it has the source address %s',
    async (address) => {
      expect(await whyNot(xml.replace('192.0.2.25', address))).toContain('no valid source address');
    },
  );

  it('is refused if its dates are invalid or in the future', async () => {
    for (const date of ['-5', '1e30', 'yesterday', '999999999999999999999']) {
      expect(await whyNot(xml.replace('<begin>1794787200', `<begin>${date}`))).toContain('which time');
    }
    expect(await whyNot(xml.replace('<begin>1794787200', '<begin>1994787200'))).toContain('which time');
  });

  it('has its names shortened to one line', async () => {
    const script = `&lt;script&gt;alert(1)&lt;/script&gt;\n\u202e\u0007${'x'.repeat(3_000)}`;
    const found = readDmarcReport(xml.replace('google.com', script));
    if (!found.ok) throw new Error(found.why);
    expect(found.report.reporter).toMatch(/^<script>alert\(1\)<\/script> \?\?x+$/);
    expect(found.report.reporter).toHaveLength(200);
  });

  it('is refused if it has more records than are read', async () => {
    const [head = '', record = '', tail = ''] = xml.split(
      /(<record>[\s\S]*?<\/record>)[\s\S]*(?=<\/feedback>)/,
    );
    expect(readDmarcReport(head + record.repeat(20_001) + tail)).toMatchObject({
      ok: false,
      why: 'The report has more records than are read.',
    });
  });

  it('about TLS is refused if it has implausible counts or endless nesting', async () => {
    expect(readTlsReport(json.replace('5326', '-1'))).toMatchObject({ ok: false });
    expect(readTlsReport(json.replace('5326', '1e18'))).toMatchObject({ ok: false });
    expect(
      readTlsReport(json.replace('"Google Inc."', '{}').replace('smtp-tls-reporting@google.com', '')),
    ).toMatchObject({
      ok: false,
    });
    expect(readTlsReport(`${'['.repeat(1_000_000)}`)).toMatchObject({ ok: false });
    expect(readTlsReport(json.padEnd(256 * 1024 + 1))).toMatchObject({
      ok: false,
      why: expect.stringContaining('larger'),
    });
    expect(readTlsReport(`{"policies":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toMatchObject({
      ok: false,
    });
  });
});

const tags = fc.constantFrom(
  '<',
  '>',
  '/',
  '&',
  ';',
  '"',
  "'",
  '<a>',
  '</a>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  ' ',
  'x',
);
const soup = fc
  .array(fc.oneof(tags, fc.string({ maxLength: 5 })), { maxLength: 200 })
  .map((all) => all.join(''));

describe('the parsers', () => {
  it('never throw, whatever the input', async () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ maxLength: 500 })), (text) => {
        readDmarcReport(text);
        readTlsReport(text);
        readDmarcReport(xml.replace('google.com', text));
        readDmarcReport(xml.replace('<record>', text));
      }),
      runs(300),
    );
  });

  it('never throw at corrupted input, however it is packed', async () => {
    const packed = [zipped(xml).bytes, gzipped(xml).bytes, Buffer.from(xml), Buffer.from(json)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...packed),
        fc.nat(),
        fc.nat(255),
        fc.boolean(),
        async (bytes, at, byte, cut) => {
          const copy = Buffer.from(bytes);
          copy[at % copy.length] = byte;
          const broken = cut ? copy.subarray(0, at % copy.length) : copy;
          const raw = reportMail({ name: 'report', type: 'application/octet-stream', bytes: broken });
          for (const kind of ['dmarc', 'tls'] as const) await readAggregate(raw, kind);
        },
      ),
      runs(300),
    );
  });

  it('open and close every element of what they accept', async () => {
    fc.assert(
      fc.property(soup, (text) => {
        let depth = 0;
        const handler = {
          open: () => {
            depth += 1;
          },
          close: () => {
            depth -= 1;
          },
        };
        const problem = atOnce(readingXml([`<r>${text}</r>`], handler));
        if (problem === null) expect(depth).toBe(0);
      }),
      runs(300),
    );
  });

  it('read the same XML however it is cut into pieces', () => {
    const eventsOf = (pieces: readonly string[]) => {
      const events: string[] = [];
      const problem = atOnce(
        readingXml(pieces, {
          open: (path) => void events.push(`<${path}`),
          close: (path, text) => void events.push(`>${path} ${text}`),
        }),
      );
      return [problem, ...(problem === null ? events : [])];
    };
    fc.assert(
      fc.property(soup, fc.integer({ min: 1, max: 20 }), (text, length) => {
        const whole = `<r>${text}</r>`;
        const pieces = whole.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        expect(eventsOf(pieces)).toEqual(eventsOf([whole]));
      }),
      runs(1_000),
    );
  });

  it.each([
    '<',
    '<a>',
    '<a/>',
    '</a>',
    '<!--',
    '<![CDATA[',
    '<?',
    '&',
    '&#60;',
    '<a b="',
    '<a b=">"',
    ' ',
    '\n',
  ])('take time that grows with the length of "%s" repeated', (piece) => {
    const text = (bytes: number) => `<feedback>${piece.repeat(bytes / piece.length)}</feedback>`;
    expect(cpuMs(() => readDmarcReport(text(4_000_000)), 1_000)).toBeLessThan(1_000);
  });
});
