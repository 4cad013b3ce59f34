/**
 * Real and rebuilt reports, each with its expected result. The files postfix-* and exim-* were created by these servers (3.7
 * and 4.96), with host names replaced; the `-old` files and the rest follow the formats of the servers they are named after.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Report, readReport } from './read-report.ts';

const CORPUS = new URL('../../../test/inbound/corpus/', import.meta.url);
const names = readdirSync(CORPUS)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => file.slice(0, -'.eml'.length));
const readings: Record<string, Report> = JSON.parse(readFileSync(new URL('readings.json', CORPUS), 'utf8'));
const bytesOf = (name: string) => readFileSync(new URL(`${name}.eml`, CORPUS));

describe('the corpus of returned mail', () => {
  it('has an expected result for every message, and a message for every result', () => {
    expect(names.sort()).toEqual(Object.keys(readings).sort());
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it.each(names.filter((name) => !name.endsWith('-lf-only')))('keeps the line ends of %s', (name) => {
    const text = bytesOf(name).toString('latin1');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it.each(names)('reads %s', (name) => {
    expect(readReport(bytesOf(name))).toEqual(readings[name]);
  });

  it.each(names.filter((name) => !name.endsWith('-lf-only')))(
    'reads %s the same with bare line feeds',
    (name) => {
      const bare = Buffer.from(bytesOf(name).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      expect(readReport(bare)).toEqual(readings[name]);
    },
  );

  it('uses only names that are reserved for examples', () => {
    const domains = names.flatMap((name) =>
      [
        ...bytesOf(name)
          .toString('latin1')
          .matchAll(/@([a-z0-9.-]+\.[a-z]{2,})/gi),
      ].map((match) => match[1]),
    );
    expect(
      domains.filter((domain) => !/(?:^|\.)(?:example\.(?:com|net|org)|test)$/i.test(domain ?? '')),
    ).toEqual([]);
  });
});
