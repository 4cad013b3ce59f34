import { describe, expect, it } from 'vitest';
import { type DoctorFinding, dnsRecordLine, groupFindings } from './finding.ts';

describe('findings', () => {
  const of = (check: string, seen: string, fix: string | null = null): DoctorFinding => ({
    check,
    level: 'unknown',
    seen,
    why: `what ${check} is for`,
    fix,
  });

  it('that are equal are listed once, with every check that reports them', () => {
    const away = 'The database was not asked.';
    expect(
      groupFindings([of('database', away), of('dns', 'No answer.'), of('queue', away), of('queue', away)]),
    ).toEqual([
      { ...of('database', away), also: ['queue'] },
      { ...of('dns', 'No answer.'), also: [] },
    ]);
  });

  it('with different fixes are listed separately', () => {
    expect(groupFindings([of('a', 'Wrong.', 'Do this.'), of('b', 'Wrong.', 'Do that.')])).toHaveLength(2);
  });
});

describe('a record to publish', () => {
  it('is one line', () => {
    expect(dnsRecordLine('example.org', 'TXT', 'v=spf1 -all')).toBe('example.org. TXT "v=spf1 -all"');
  });

  it('is also shown split when it is longer than a string of a zone file', () => {
    const key = 'k'.repeat(300);
    expect(dnsRecordLine('s._domainkey.example.org', 'TXT', key)).toBe(
      `s._domainkey.example.org. TXT "${key}" (in a zone file, in strings of 255: s._domainkey.example.org. TXT ( "${'k'.repeat(255)}" "${'k'.repeat(45)}" ))`,
    );
  });
});
