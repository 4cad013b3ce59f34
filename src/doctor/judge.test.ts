/** What facts mean, where no server can play them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_CHECKS } from './checks.ts';
import { doctorCheck } from './doctor-check.ts';
import { isAligned, organizationalDomain, readDmarc } from './domains/dmarc.ts';
import { examine } from './examine.ts';
import { judgeProxy } from './host/public-url.ts';
import { type DatabaseFacts, judgeDatabase } from './machine/database.ts';
import { judgeRoom, judgeWrites } from './machine/disk.ts';
import { judgeQueue } from './machine/queue.ts';
import type { DoctorWorld } from './world.ts';

describe('an examination', () => {
  const world = {} as DoctorWorld;
  const check = (gather: () => Promise<never>) =>
    doctorCheck({
      name: 'one',
      matters: 'It matters.',
      gather,
      judge: () => [{ level: 'ok', seen: 'never' }],
    });

  it('calls unknown what fails or takes too long, and never well', async () => {
    const never = new Promise<never>(() => {});
    const failing = async () => {
      throw new Error('the disk is on fire');
    };
    expect(await examine(world, [check(failing), check(() => never)], 50)).toEqual([
      { check: 'one', level: 'unknown', seen: 'the disk is on fire', why: 'It matters.', mend: null },
      {
        check: 'one',
        level: 'unknown',
        seen: 'This took longer than 0.05 seconds.',
        why: 'It matters.',
        mend: null,
      },
    ]);
  });
});

describe('the page about the doctor', () => {
  it('has every check, in order, and says which are quick', () => {
    const page = readFileSync(new URL('../../docs/operations/doctor.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (yes| {3}) /gm)].map(([, name, quick]) => [
      name,
      quick === 'yes',
    ]);
    expect(rows).toEqual(ALL_CHECKS.map(({ name, isQuick }) => [name, isQuick]));
  });
});

describe('DMARC', () => {
  const found = (text: string) => ({ kind: 'found', records: [text] }) as const;

  it('asks for what sp= says below the domain that has the record', () => {
    const text = found('v=DMARC1; p=reject; sp=none; aspf=s');
    expect(readDmarc(text, 'example.org', 'example.org')).toMatchObject({
      policy: 'reject',
      isSpfStrict: true,
    });
    expect(readDmarc(text, 'example.org', 'shop.example.org')).toMatchObject({
      policy: 'none',
      isDkimStrict: false,
    });
  });

  it('is not every TXT record', () => {
    expect(readDmarc(found('v=DMARC10; p=none'), 'a.example', 'a.example')).toEqual({ kind: 'missing' });
    expect(readDmarc({ kind: 'nxdomain' }, 'a.example', 'a.example')).toEqual({ kind: 'missing' });
  });

  it.each([
    ['example.co.uk', 'bounces.example.co.uk', true],
    ['example.co.uk', 'other.co.uk', false],
    ['shop.example.org', 'mail.example.org', true],
    ['alice.github.io', 'bob.github.io', false],
  ])('%s is aligned with %s: %s', (from, other, aligned) => {
    expect(isAligned(from, other, false)).toBe(aligned);
    expect(isAligned(from, other, true)).toBe(false);
    expect(isAligned(from, from, true)).toBe(true);
  });

  it('knows what somebody registered', () => {
    expect(organizationalDomain('a.b.example.co.uk')).toBe('example.co.uk');
  });
});

describe('PostgreSQL', () => {
  const well: DatabaseFacts = {
    version: 180_001,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    server_encoding: 'UTF8',
    is_standby: false,
  };

  it('is well', () => {
    expect(judgeDatabase(well)).toEqual([
      expect.objectContaining({ level: 'ok', seen: expect.stringMatching(/^PostgreSQL 18\.1 /) }),
    ]);
    expect(judgeDatabase({ ...well, synchronous_commit: 'local' })[0]?.level).toBe('ok');
  });

  it.each(['fsync', 'synchronous_commit', 'full_page_writes'] as const)(
    'endangers data with %s off',
    (name) => {
      const [found, ...others] = judgeDatabase({ ...well, [name]: 'off' });
      expect(others).toEqual([]);
      expect(found).toMatchObject({
        level: 'bad',
        mend: expect.stringContaining(`ALTER SYSTEM SET ${name} = on`),
      });
    },
  );

  it.each([
    ['older than what is tested', { version: 160_004 }, 'warn', 'This is PostgreSQL 16.4'],
    ['of another encoding', { server_encoding: 'SQL_ASCII' }, 'bad', 'SQL_ASCII, not UTF8'],
    ['a standby', { is_standby: true }, 'bad', 'a standby'],
  ] as const)('is %s', (_what, facts, level, words) => {
    const [found] = judgeDatabase({ ...well, ...facts });
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });
});

describe('the disk', () => {
  const disk = {
    folder: '/srv/data',
    freeBytes: 40e9,
    totalBytes: 80e9,
    freeFiles: 900,
    totalFiles: 1_000,
    type: 0xef53,
  };

  it.each([
    ['has room', {}, 'ok', '40.0 of 80.0 GB (50 %) and 900 of 1,000 inodes are free under /srv/data.'],
    ['is low', { freeBytes: 7e9 }, 'warn', '7.0 of 80.0 GB (8 %)'],
    ['is full', { freeBytes: 0.5e9 }, 'bad', '0.5 of 80.0 GB'],
    ['has few inodes left', { freeFiles: 40 }, 'warn', '40 of 1,000 inodes'],
    ['has no inodes left', { freeFiles: 0 }, 'bad', '0 of 1,000 inodes'],
    ['does not count inodes', { freeFiles: null, totalFiles: 0 }, 'ok', '(50 %) are free'],
  ] as const)('%s', (_what, facts, level, words) => {
    const found = judgeRoom({ ...disk, ...facts });
    expect(found.level).toBe(level);
    expect(found.seen).toContain(words);
  });

  it.each([
    ['waits for the disk', 0xef53, 1.25, 'ok', 'takes 1.25 ms'],
    [
      'is suspiciously fast',
      0xef53,
      0.02,
      'warn',
      'takes 0.02 ms under /srv/data, which is faster than disks are',
    ],
    ['is slow', 0xef53, 80, 'warn', 'takes 80 ms'],
    ['is in memory', 0x01021994, 1, 'bad', 'is in memory (tmpfs)'],
    ['is a layer of a container', 0x794c7630, 1, 'bad', 'goes with the container'],
    ['is NFS', 0x6969, 1, 'warn', 'is on NFS'],
  ])('%s', (_what, type, ms, level, words) => {
    const [found] = judgeWrites({ folder: '/srv/data', type, tookMs: [ms * 9, ms, ms / 9] });
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });
});

describe('the queue', () => {
  const worker = { epoch: 1, host: 'h', pid: 1, startedAt: new Date(), heartbeatAgeSeconds: 1, alive: true };
  const facts = (oldestDueSeconds: number | null, alive = true) => ({
    queue: { waiting: 0, due: oldestDueSeconds === null ? 0 : 3, claimed: 0, oldestDueSeconds },
    workers: [{ ...worker, alive }],
    inbound: 1,
  });

  it.each([
    [facts(null), 'ok'],
    [facts(60), 'ok'],
    [facts(10 * 60), 'warn'],
    [facts(60 * 60), 'bad'],
    [facts(1, false), 'bad'],
  ])('is judged by how long due mail waits, and by who is there: %#', (queue, level) => {
    expect(judgeQueue(queue).map((one) => one.level)).toEqual([level]);
  });
});

describe('a proxy', () => {
  const https = 'https://mail.example.org';
  it.each([
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: ['127.0.0.1'] }, 'ok', 'is believed'],
    [{ host: '127.0.0.1', publicUrl: 'http://localhost:3000', trustProxy: false }, 'ok', 'No proxy'],
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: false }, 'warn', 'POSTRIDER_TRUST_PROXY is not set'],
    [{ host: '0.0.0.0', publicUrl: https, trustProxy: true }, 'warn', 'believed from whoever connects'],
    [{ host: '0.0.0.0', publicUrl: https, trustProxy: ['10.0.0.0/8'] }, 'ok', 'is believed'],
  ])('%j is %s', (settings, level, words) => {
    const [found] = judgeProxy(settings);
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });
});
