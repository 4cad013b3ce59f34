/** What facts mean, where no server can play them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAligned, organizationalDomain, readDmarc } from '../domains/dmarc.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { ALL_CHECKS } from './checks.ts';
import { doctorCheck } from './doctor-check.ts';
import type { DoctorContext } from './doctor-context.ts';
import { examine } from './examine.ts';
import { judgeCertificate } from './host/certificate.ts';
import { judgeProxy } from './host/public-url.ts';
import { type DatabaseFacts, judgeDatabase } from './machine/database.ts';
import { judgeFreeSpace, judgeWrites } from './machine/disk.ts';
import { judgeQueue } from './machine/queue.ts';
import { judgeReplication, type ReplicationFacts } from './machine/replication.ts';

describe('an examination', () => {
  const context = {} as DoctorContext;
  const check = (gather: () => Promise<never>) =>
    doctorCheck({
      name: 'one',
      matters: 'It matters.',
      gather,
      judge: () => [{ level: 'ok', seen: 'never' }],
    });

  it('reports checks that fail or time out as unknown, never as ok', async () => {
    const never = new Promise<never>(() => {});
    const failing = async () => {
      throw new Error('the disk is on fire');
    };
    expect(await examine(context, [check(failing), check(() => never)], 50)).toEqual([
      { check: 'one', level: 'unknown', seen: 'the disk is on fire', why: 'It matters.', fix: null },
      {
        check: 'one',
        level: 'unknown',
        seen: 'The check took longer than 0.05 seconds.',
        why: 'It matters.',
        fix: null,
      },
    ]);
  });
});

describe('the documentation of the doctor', () => {
  it('lists every check, in order, and marks the quick ones', () => {
    const page = readFileSync(new URL('../../docs/operate/doctor.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (yes| {3}) /gm)].map(([, name, quick]) => [
      name,
      quick === 'yes',
    ]);
    // Two of them are about the clock: by time servers, and by the database.
    const checks = new Map(ALL_CHECKS.map(({ name, isQuick }) => [name, isQuick]));
    expect(rows).toEqual([...checks]);
  });
});

describe('DMARC', () => {
  const found = (text: string) => ({ kind: 'found', records: [text] }) as const;

  it('applies sp= below the domain that has the record', () => {
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

  it('is ok', () => {
    expect(judgeDatabase(well)).toEqual([
      expect.objectContaining({ level: 'ok', seen: expect.stringMatching(/^PostgreSQL 18\.1 /) }),
    ]);
    expect(judgeDatabase({ ...well, synchronous_commit: 'local' })[0]?.level).toBe('ok');
  });

  it.each(['fsync', 'synchronous_commit', 'full_page_writes'] as const)('is unsafe with %s off', (name) => {
    const [found, ...others] = judgeDatabase({ ...well, [name]: 'off' });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      level: 'bad',
      fix: expect.stringContaining(`ALTER SYSTEM SET ${name} = on`),
    });
  });

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
    ['has room', {}, 'ok', '40.0 of 80.0 GB (50%) and 900 of 1,000 inodes are free under /srv/data.'],
    ['is low', { freeBytes: 7e9 }, 'warn', '7.0 of 80.0 GB (8%)'],
    ['is full', { freeBytes: 0.5e9 }, 'bad', '0.5 of 80.0 GB'],
    ['has few inodes left', { freeFiles: 40 }, 'warn', '40 of 1,000 inodes'],
    ['has no inodes left', { freeFiles: 0 }, 'bad', '0 of 1,000 inodes'],
    ['does not count inodes', { freeFiles: null, totalFiles: 0 }, 'ok', '(50%) are free'],
  ] as const)('%s', (_what, facts, level, words) => {
    const found = judgeFreeSpace({ ...disk, ...facts });
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
      'takes 0.02 ms under /srv/data, which is faster than a disk can store',
    ],
    ['is slow', 0xef53, 80, 'warn', 'takes 80 ms'],
    ['is in memory', 0x01021994, 1, 'bad', 'is in memory (tmpfs)'],
    ['is a layer of a container', 0x794c7630, 1, 'bad', 'deleted with the container'],
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
    holds: [] as HoldRow[],
    inbound: 1,
  });
  const hold = (scope: HoldRow['scope'], value: string | null) =>
    ({
      ...{ id: 'hold_1', scope, value, organization_id: null, reason: 'wrong prices' },
      ...{ placed_by: 'operator ada', placed_at: new Date('2026-11-16T09:00:00Z') },
    }) as HoldRow;

  it.each([
    [facts(null), 'ok'],
    [facts(60), 'ok'],
    [facts(10 * 60), 'warn'],
    [facts(60 * 60), 'bad'],
    [facts(1, false), 'bad'],
  ])('is judged by how long due mail waits, and by who is there: %#', (queue, level) => {
    expect(judgeQueue(queue).map((one) => one.level)).toEqual([level]);
  });

  it("does not report held mail as stuck, and names the hold's author, time and reason", () => {
    const [moving, held, ...others] = judgeQueue({ ...facts(60 * 60), holds: [hold('all', null)] });
    expect(moving?.level).toBe('ok');
    expect(held).toMatchObject({
      level: 'warn',
      seen: 'Held since 2026-11-16T09:00:00.000Z by operator ada: all (wrong prices).',
      fix: expect.stringContaining('npx postrider release hold_1'),
    });
    expect(others).toEqual([]);
  });

  it('reports mail as stuck when the hold is for other mail', () => {
    const found = judgeQueue({ ...facts(60 * 60), holds: [hold('domain', 'shop.example')] });
    expect(found.map((one) => one.level)).toEqual(['bad', 'warn']);
  });
});

describe('a proxy', () => {
  const https = 'https://mail.example.org';
  it.each([
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: ['127.0.0.1'] }, 'ok', 'is trusted'],
    [{ host: '127.0.0.1', publicUrl: 'http://localhost:3000', trustProxy: false }, 'ok', 'No proxy'],
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: false }, 'warn', 'POSTRIDER_TRUST_PROXY is not set'],
    [{ host: '0.0.0.0', publicUrl: https, trustProxy: true }, 'warn', 'trusted from every client'],
    [{ host: '0.0.0.0', publicUrl: https, trustProxy: ['10.0.0.0/8'] }, 'ok', 'is trusted'],
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: true, hasTls: true }, 'warn', 'contains true'],
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: ['0.0.0.0/0'], hasTls: true }, 'warn', '0.0.0.0/0'],
    [{ host: '127.0.0.1', publicUrl: https, trustProxy: ['10.0.0.0/8'], hasTls: true }, 'ok', 'No proxy'],
  ])('%j is %s', (settings, level, words) => {
    const [found] = judgeProxy(settings);
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });
});

describe('a certificate for SMTP', () => {
  const facts = {
    ...{ file: '/etc/mail.pem', host: 'mail.example.org', names: 'DNS:mail.example.org' },
    ...{ isForHost: true, belongsToKey: true, stale: null },
  };

  it.each([
    [60, 'ok', 'is valid for 60 more days.'],
    [1.5, 'warn', 'expires in 1 day.'],
    [0.5, 'warn', 'expires in less than a day.'],
    [-0.5, 'bad', 'expired less than a day ago.'],
    [-3, 'bad', 'expired 3 days ago.'],
  ])('of %d more days is %s', (days, level, words) => {
    const [found] = judgeCertificate({ ...facts, leftMs: days * DAY_MS });
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });

  it('is read again without stopping anything', () => {
    const [found] = judgeCertificate({ ...facts, leftMs: -DAY_MS });
    expect(found?.fix).toContain('systemctl reload postrider');
  });
});

describe('several hosts of PostgreSQL', () => {
  const writes = { isStandby: false, onlyReads: false, timeline: 2 };
  const follows = { isStandby: true, onlyReads: true, timeline: 0 };
  const well: ReplicationFacts = {
    hosts: [
      { name: 'one:5432', state: follows },
      { name: 'two:5432', state: writes },
    ],
    readHosts: [{ name: 'one:5432', state: follows }],
    synchronous_standby_names: 'ANY 1 (one)',
    synchronous_commit: 'on',
    standbys: [{ name: 'one', state: 'quorum' }],
  };
  const judged = (changes: Partial<ReplicationFacts>) =>
    judgeReplication({ ...well, ...changes }).map(({ level, seen }) => `${level}: ${seen}`);

  it('are ok when one accepts writes and another has each commit on its disk', () => {
    expect(judged({})).toEqual([
      'ok: two:5432 accepts writes. A commit is answered when a standby has it on its disk, too (one).',
    ]);
  });

  it('are optional', () => {
    const alone = { hosts: [], readHosts: [], standbys: [], synchronous_standby_names: '' };
    expect(judged(alone)).toEqual(['ok: This PostgreSQL has no standby.']);
  });

  it.each<[string, Partial<ReplicationFacts>]>([
    [
      'bad: one:5432 and two:5432 all accept writes.',
      { hosts: well.hosts.map((one) => ({ ...one, state: writes })) },
    ],
    [
      'warn: one:5432, which DATABASE_URL names, cannot be reached: it is gone.',
      { hosts: [{ name: 'one:5432', state: 'it is gone' }] },
    ],
    [
      'warn: Commits do not wait for a standby (synchronous_standby_names is empty).',
      { synchronous_standby_names: '' },
    ],
    [
      'warn: Commits do not wait for a standby (synchronous_commit = local).',
      { synchronous_commit: 'local' },
    ],
    [
      "bad: Commits wait for a standby, and no standby is connected (synchronous_standby_names = 'ANY 1 (one)').",
      { standbys: [] },
    ],
    [
      'unknown: This account may not see whether a standby is synchronous.',
      { standbys: [{ name: null, state: null }] },
    ],
    [
      'warn: Commits wait until a standby has them in memory, not on its disk (synchronous_commit = remote_write).',
      { synchronous_commit: 'remote_write' },
    ],
    [
      'warn: DATABASE_READ_URL names no reachable standby: two:5432 (no standby).',
      { readHosts: [{ name: 'two:5432', state: writes }] },
    ],
  ])('%s', (finding, changes) => {
    expect(judged(changes)).toEqual([finding]);
  });
});
