/** What a long suppression list costs every send: the look-up alone, and accepting with it. */

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../src/database/database.ts';
import { adHoc } from '../src/database/sql.ts';
import type { Address } from '../src/protocols/message/address.ts';
import type { InlineContent } from '../src/submission/draft.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, type Rate } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'A suppression list of 1,000,000 addresses against one of 1,000';
export const claim =
  'with 1,000,000 suppressions the look-up for an email, and accepting 250 emails at once, take at most 1.3 times as long as with 1,000';

const TARGET = 1 / 1.3;
const SIZES = {
  full: { lists: { short: 1_000, long: 1_000_000 }, rounds: { warmUpMs: 2_000, rounds: 15, roundMs: 400 } },
  smoke: { lists: { short: 100, long: 1_000 }, rounds: { warmUpMs: 50, rounds: 2, roundMs: 50 } },
};
type Numbers = (typeof SIZES)[Size];
/** Emails that come while a commit is under way are accepted together; this many is a full flush. */
const FLUSH = 250;
const ORGANIZATION = 'org_0000000000001';
const SENDER = 'shop.example';
const HELLO = { kind: 'inline', subject: 'Hello', html: null, text: 'Hello' } as unknown as InlineContent;

type Length = keyof Numbers['lists'];
type Rates = Readonly<Record<Length, Rate>>;
type Databases = Readonly<Record<Length, Database>>;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { startEmbeddedPostgres } = await built<typeof import('../src/database/embedded-postgres.ts')>(
    'database/embedded-postgres',
  );
  const dataDir = await mkdtemp(path.join(tmpdir(), 'postrider-bench-'));
  await chmod(dataDir, 0o755); // under root PostgreSQL runs as another account, which has to get in
  try {
    progress('starting PostgreSQL');
    const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return await measure(server.url, SIZES[size], progress);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(serverUrl: string, numbers: Numbers, progress: Progress): Promise<BenchResult> {
  const databases = {
    short: await prepare(serverUrl, 'short', numbers, progress),
    long: await prepare(serverUrl, 'long', numbers, progress),
  };
  try {
    const lookUps: [number, Rates][] = [];
    for (const recipients of [1, 50, FLUSH]) {
      progress(`look-up of ${recipients} recipients`);
      lookUps.push([recipients, await measureLookUp(databases, recipients, numbers, progress)]);
    }
    progress(`accepting ${FLUSH} emails at once`);
    return report(lookUps, await measureAccept(databases, numbers, progress), numbers);
  } finally {
    await Promise.all(Object.values(databases).map((db) => db.close()));
  }
}

/** A database of its own for each list, so that the short one is not one of many in a long table. */
async function prepare(
  serverUrl: string,
  length: Length,
  { lists }: Numbers,
  progress: Progress,
): Promise<Database> {
  const { Database } = await built<typeof import('../src/database/database.ts')>('database/database');
  const { migrate } = await built<typeof import('../src/database/migrate.ts')>('database/migrate');
  const { adHoc } = await built<typeof import('../src/database/sql.ts')>('database/sql');
  const { createLog } = await built<typeof import('../src/runtime/log.ts')>('runtime/log');
  const open = (url: string) =>
    new Database({ url, log: createLog('bench', 'silent'), applicationName: 'bench' });
  const admin = open(serverUrl);
  await admin.exec(adHoc(`CREATE DATABASE bench_${length}`));
  await admin.close();
  const url = new URL(serverUrl);
  url.pathname = `/bench_${length}`;
  await migrate(url.toString());
  progress(`seeding ${number(lists[length])} suppressions`);
  const db = open(url.toString());
  await db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ('${ORGANIZATION}', 'Bench')`));
  await db.exec(
    adHoc(`INSERT INTO domains (id, organization_id, domain, spf_verified, dkim_verified)
      VALUES ('dom_bench', '${ORGANIZATION}', '${SENDER}', true, true)`),
  );
  const step = 50_000;
  for (let from = 1; from <= lists[length]; from += step) {
    await db.exec(adHoc(SEED), [ORGANIZATION, from, Math.min(from + step - 1, lists[length])]);
  }
  await db.exec(adHoc('VACUUM ANALYZE suppressions'));
  await db.exec(adHoc('CHECKPOINT'));
  return db;
}

const SEED = `INSERT INTO suppressions (organization_id, id, created_at, email, key, reason, source)
  SELECT $1, (lpad(to_hex(1700000000000 + i), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, now(),
         email, email, 'hard_bounce', 'automatic'
  FROM generate_series($2::int, $3::int) AS i,
       LATERAL (SELECT 'user' || i || '.' || substr(md5(i::text), 1, 6) || '@example' || i % 1000 || '.org' AS email) AS e`;

const LOOK_UP = adHoc<{ found: number[] | null }>('SELECT suppressed_among($1, NULL) AS found');

async function measureLookUp(
  databases: Databases,
  recipients: number,
  { lists, rounds }: Numbers,
  progress: Progress,
): Promise<Rates> {
  const lookUp = (db: Database) => async () => {
    const keys = addresses(recipients, lists.long).map((key) => ORGANIZATION + key);
    const { found } = await db.one(LOOK_UP, [keys]);
    if (found !== null) throw new Error('An address was found that is not on the list.');
  };
  return measureInTurns({ short: lookUp(databases.short), long: lookUp(databases.long) }, rounds, progress);
}

async function measureAccept(
  databases: Databases,
  { lists, rounds }: Numbers,
  progress: Progress,
): Promise<Rates> {
  const { Acceptor } = await built<typeof import('../src/submission/accept.ts')>('submission/accept');
  const { toNewEmail } = await built<typeof import('../src/submission/new-email.ts')>('submission/new-email');
  const { withOrganizationDefaults } =
    await built<typeof import('../src/submission/streamed.ts')>('submission/streamed');
  const { ORDINARY } = await built<typeof import('../src/submission/draft.ts')>('submission/draft');
  const { DEFAULTS_WITHOUT_SETTINGS } =
    await built<typeof import('../src/submission/defaults.ts')>('submission/defaults');
  const { parseAddress } =
    await built<typeof import('../src/protocols/message/address.ts')>('protocols/message/address');
  const mailbox = (email: string) => ({ address: parseAddress(email) as Address, name: null });
  const acceptAll = (db: Database) => {
    const acceptor = new Acceptor({
      db,
      mode: 'live',
      lifetimeMs: () => 86_400_000,
      waker: { wake: () => undefined, withCommit: () => null },
    });
    return async () => {
      const results = await Promise.all(
        addresses(FLUSH, lists.long).map((address) => {
          const from = mailbox(`hello@${SENDER}`);
          const draft = { ...ORDINARY, from, to: [mailbox(address)] };
          const found = {
            ...{ nowMs: Date.now(), batchId: null, attachments: [], defaults: DEFAULTS_WITHOUT_SETTINGS },
            streamed: withOrganizationDefaults(draft),
          };
          const email = toNewEmail({ organizationId: ORGANIZATION, keyId: null }, draft, HELLO, found);
          return acceptor.accept({ emails: [email], completion: null });
        }),
      );
      if (results.flat().some(({ kind }) => kind !== 'accepted')) throw new Error('An email was refused.');
    };
  };
  return measureInTurns(
    { short: acceptAll(databases.short), long: acceptAll(databases.long) },
    rounds,
    progress,
  );
}

/** Like those on the list, and spread over all of it, but not on it. */
function addresses(count: number, listed: number): string[] {
  return Array.from({ length: count }, () => {
    const i = Math.floor(Math.random() * listed);
    return `user${i}.zz@example${i % 1000}.org`;
  });
}

function report(lookUps: readonly [number, Rates][], accept: Rates, { lists }: Numbers): BenchResult {
  const ratioOf = ({ short, long }: Rates) => long.medianPerSecond / short.medianPerSecond;
  const row = (name: string, rates: Rates) => [
    name,
    number(1000 / rates.short.medianPerSecond, 3),
    number(1000 / rates.long.medianPerSecond, 3),
    number(1 / ratioOf(rates), 2),
  ];
  const [, single] = lookUps[0] as [number, Rates];
  return {
    ratio: Math.min(ratioOf(single), ratioOf(accept)),
    target: Number(TARGET.toFixed(3)),
    table: {
      columns: ['median ms', number(lists.short), number(lists.long), 'times as long'],
      rows: [
        ...lookUps.map(([recipients, rates]) => row(`look-up of ${recipients} recipients`, rates)),
        row(`accepting ${FLUSH} emails at once`, accept),
      ],
    },
    figures: {
      ...Object.fromEntries(
        lookUps.map(([recipients, rates]) => [`times_as_long_look_up_${recipients}`, times(ratioOf(rates))]),
      ),
      times_as_long_accept: times(ratioOf(accept)),
    },
  };
}

function times(ratio: number): number {
  return Number((1 / ratio).toFixed(3));
}
