/** The command line on an installation of two cells: about one organization wherever it is, and about everybody. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf } from '../../src/cells/identity.ts';
import { adHoc } from '../../src/database/sql.ts';
import { register } from '../../src/outbox/lease.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedMail } from '../support/seed-mail.ts';
import { createTwoCells, type Parsed, type TwoCells } from '../support/two-cells.ts';

const AWAY = 'postgres://nobody:hush@127.0.0.1:1/nothing';

let dataDir: string;
let cells: TwoCells;
let here: string;
let there: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  cells = await createTwoCells(dataDir);
  here = (await cells.json(['org', 'create', 'Here'])).id;
  there = (await cells.json(['org', 'create', 'There', '--cell', 'two'])).id;
});
afterAll(async () => {
  await cells.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const json = (argv: readonly string[]) => cells.json(argv);
const count = async (of: TestDatabase, table: string) =>
  (await of.db.one(adHoc<{ count: number }>(`SELECT count(*) FROM ${table}`))).count;

describe('organizations', () => {
  it('are made in the cell that is named, and listed with it', async () => {
    const listed = await json(['org', 'list']);
    expect(listed.map(({ id, cell }: { id: string; cell: string }) => [id, cell])).toEqual([
      [here, 'main'],
      [there, 'two'],
    ]);
    expect((await cells.run(['org', 'list'])).out).toMatch(new RegExp(`^${there} .* two$`, 'm'));
    expect((await cells.run(['org', 'create', 'Nowhere', '--cell', 'four'])).err).toContain(
      'There is no cell four. There are: main, two',
    );
  });

  it('have their limit set in their cell, too', async () => {
    await json(['org', 'limit', there, '77']);
    const limits = await cells.two.db.many(
      adHoc<{ daily_limit: number }>('SELECT daily_limit FROM organizations WHERE id = $1'),
      [there],
    );
    expect(limits).toEqual([{ daily_limit: 77 }]);
  });
});

describe('commands about one organization', () => {
  it('keep its domains, keys and settings where its mail is', async () => {
    for (const org of [here, there]) {
      const name = `${org === here ? 'here' : 'there'}.test`;
      await json(['domain', 'add', name, '--org', org]);
      expect((await json(['domain', 'verify', name, '--org', org])).is_verified).toBe(true);
      expect((await json(['domain', 'list', '--org', org])).map((one: Parsed) => one.domain)).toEqual([name]);
      await json(['domain', 'rotate-dkim', name, '--org', org]);
      const key = ['key', 'create', '--org', org, '--name', 'k', '--scope', 'send', '--domain', name];
      expect((await json(key)).organization_id).toBe(org);
    }
    expect([await count(cells.main, 'domains'), await count(cells.two, 'domains')]).toEqual([1, 1]);
    expect([await count(cells.main, 'api_keys'), await count(cells.two, 'api_keys')]).toEqual([2, 0]);
    expect(await json(['key', 'list'])).toHaveLength(2);
  });

  it('apply a file to organizations of both', async () => {
    const file = join(dataDir, 'wanted.yaml');
    const text = `webhooks:
  - { url: "https://127.0.0.1/x" }
templates:
  - { alias: welcome, name: Welcome, subject: Hello }
`;
    await writeFile(file, text);
    for (const org of [here, there]) {
      const applied = await cells.run(['apply', '-f', file, '--org', org, '--yes']);
      expect(applied, applied.err + applied.out).toMatchObject({ code: 0 });
      expect((await cells.run(['apply', 'export', '--org', org])).out).toContain('welcome');
    }
    expect([await count(cells.main, 'templates'), await count(cells.two, 'templates')]).toEqual([1, 1]);
  });

  it('read its events and erase its recipients there', async () => {
    await seedMail(cells.two.db, { organizationId: there, domain: 'x.test', count: 2 });
    expect(await json(['events', '--org', there, '--last', '5'])).toBeInstanceOf(Array);
    const exported = await json(['export', 'nobody@x.test', '--org', there]);
    expect(exported).toBeTypeOf('object');
    const erased = await cells.run(['erase', 'nobody@x.test', '--org', there, '--yes']);
    expect(erased, erased.err).toMatchObject({ code: 0 });
    const window = ['--from', '2026-01-01T00:00Z', '--to', '2026-01-01T01:00Z'];
    expect((await cells.run(['incident', ...window])).out).toBe('Nothing bounced.');
  });
});

describe('commands about everybody', () => {
  it('show what waits in all cells, by site and together', async () => {
    await seedMail(cells.main.db, { organizationId: here, domain: 'x.test', count: 3 });
    const status = JSON.parse((await cells.run(['status', '--json'])).out);
    expect(status.queue.waiting + status.queue.due).toBe(5);
    expect(status.cells.map((one: Parsed) => [one.cell, one.queue.waiting + one.queue.due])).toEqual([
      ['main', 3],
      ['two', 2],
    ]);
    const queue = await json(['queue']);
    expect(queue.map((one: Parsed) => one.waiting + one.due)).toEqual([5]);
  });

  it('list each cell with what is in it, and no password', async () => {
    const epoch = await register(cells.two.db, { host: 'here', machine: 'here', pid: 1 });
    expect(epoch).toBeGreaterThan(0);
    const listed = await json(['cell', 'list']);
    expect(listed).toMatchObject([
      { cell: 'main', organizations: 1, queue: 3, reachable: true, workers: 0 },
      { cell: 'two', organizations: 1, queue: 2, reachable: true, workers: 1 },
    ]);
    for (const one of listed)
      expect(one).toMatchObject({ server: expect.stringMatching(/^\d/), reason: null });
    const { out } = await cells.run(['cell', 'list']);
    expect(out).toMatch(/^two +127\.0\.0\.1:\d+\/test_/m);
    expect(out).not.toContain(new URL(cells.two.url).password || 'no password at all');
  });

  it('hold all mail in every cell, and let it go again', async () => {
    const { id } = await json(['hold', 'all', '--reason', 'Stop']);
    const held = (of: TestDatabase) => of.db.many(adHoc('SELECT id FROM holds WHERE lifted_at IS NULL'));
    expect([await held(cells.main), await held(cells.two)]).toEqual([[{ id }], [{ id }]]);
    expect(await json(['hold', 'list'])).toMatchObject([{ id }]);
    expect((await cells.run(['release'])).err).toContain('Add --yes to confirm');
    await json(['release', '--yes']);
    expect([await held(cells.main), await held(cells.two)]).toEqual([[], []]);
    await json(['hold', 'organization', there, '--reason', 'Theirs']);
    expect([(await held(cells.main)).length, (await held(cells.two)).length]).toEqual([0, 1]);
    await json(['release', '--yes']);
    expect((await cells.run(['canary', 'list'])).code).toBe(0);
  });

  it('discard the mail of a mode in every cell', async () => {
    const unsure = await cells.run(['queue', 'discard', '--mode', 'live']);
    expect(unsure.err).toContain('Deliveries of live mail in the queue: 5.');
    expect((await json(['queue', 'discard', '--mode', 'live', '--yes'])).discarded).toBe(5);
    expect([await count(cells.main, 'outbox'), await count(cells.two, 'outbox')]).toEqual([0, 0]);
  });

  it('show and remove kept mail of any cell', async () => {
    const keep = adHoc(
      `INSERT INTO inbound_messages (organization_id, id, received_at, mailbox, mail_from, remote_address, size, raw, state)
       VALUES ($1, gen_random_uuid(), now(), 'postmaster', 'a@b.test', '127.0.0.1', 14, 'Subject: Hello', 'kept')`,
    );
    await cells.main.db.exec(keep, [here]);
    await cells.two.db.exec(keep, [there]);
    const kept = await json(['inbound']);
    expect(kept).toHaveLength(2);
    for (const { id } of kept) {
      expect((await json(['inbound', 'show', id])).message).toContain('Hello');
      await json(['inbound', 'remove', id]);
    }
    expect(await json(['inbound'])).toEqual([]);
  });

  it('seal everything anew with another secret key, in every cell', async () => {
    const next = { POSTRIDER_MORE_SECRET_KEYS: 'another-secret-key-of-32-characters-or-more' };
    const rotated = await cells.json(['secret', 'rotate'], next);
    // A DKIM key, the one that replaces it, and a webhook's secret, in each; and what erased addresses are hidden with.
    expect(rotated).toMatchObject({ rotated: true, problems: [] });
    expect(rotated.resealed).toBe(7);
    const { keys } = await cells.json(['secret'], next);
    expect(keys.map((one: Parsed) => [one.state, one.sealed_values > 0])).toEqual([
      ['old', false],
      ['current', true],
    ]);
  });
});

describe('a cell that does not answer', () => {
  const away = () => ({ POSTRIDER_CELLS: `two=${AWAY}` });

  it('is named, and does not keep commands from the others', async () => {
    const listed = await cells.run(['cell', 'list'], away());
    expect(listed.code).toBe(1);
    expect(listed.out).toContain('Left out: the cell two, which does not answer');
    expect(listed.out).not.toContain('hush');
    expect((await cells.run(['status'], away())).out).toContain('Left out: the cell two');
    expect(await cells.json(['domain', 'list', '--org', here], away())).toHaveLength(1);
    const refused = await cells.run(['domain', 'list', '--org', there], away());
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^A database of this installation does not answer \(.*\)\. `npx postrider/);
  });

  it('is reported by a migration, which brings the others up to date', async () => {
    const { code, out } = await cells.run(['migrate'], away());
    expect(code).toBe(1);
    expect(out).toMatch(/^main: The schema is up to date\.\ntwo: It does not answer: /);
  });
});

describe('organizations in a cell that is not configured', () => {
  it('are said to be, with what to do', async () => {
    const without = { POSTRIDER_CELLS: '' };
    const { code, out } = await cells.run(['cell', 'list'], without);
    expect(code).toBe(1);
    expect(out).toContain('1 organization is in the cell two, which POSTRIDER_CELLS does not name');
    // Nothing would know that its mail is elsewhere.
    expect(await cells.run(['org', 'list'], without)).toMatchObject({
      code: 1,
      err: 'Organizations are in the cell two, which POSTRIDER_CELLS does not name. Set POSTRIDER_CELLS to the same value as on every other host.',
    });
  });
});

describe('an address that leads elsewhere than its name says', () => {
  let other: TestDatabase;
  let empty: TestDatabase;
  beforeAll(async () => {
    [other, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
    await other.db.exec(
      adHoc(`INSERT INTO secret_keys (id, current_from) VALUES ('0011223344556677', now())`),
    );
  });
  afterAll(() => Promise.all([other.drop(), empty.drop()]));

  const migrating = async (env: Record<string, string>) => {
    const ran = await cells.run(['migrate'], env);
    expect(ran).toMatchObject({ code: 1, out: '' });
    return ran.err;
  };

  it('is refused where it is the first database', async () => {
    expect(await migrating({ POSTRIDER_CELLS: `two=${cells.main.url}` })).toContain(
      'address of the cell two in POSTRIDER_CELLS leads to the database of DATABASE_URL',
    );
  });

  it('is refused where two names lead to one place', async () => {
    const both = { POSTRIDER_CELLS: `two=${cells.two.url} four=${cells.two.url}` };
    expect(await migrating(both)).toContain(
      'address of the cell four in POSTRIDER_CELLS leads to the cell two',
    );
    expect((await cells.run(['org', 'list'], both)).err).toContain('leads to the cell two');
  });

  it('is refused where it is of another installation, which is not changed', async () => {
    expect(await migrating({ POSTRIDER_CELLS: `two=${other.url}` })).toContain('of another installation');
    expect(await identityOf(other.db)).toBeUndefined();
  });

  it('is refused where a cell is taken for the first database', async () => {
    const swapped = { DATABASE_URL: cells.two.url, POSTRIDER_CELLS: '' };
    expect(await migrating(swapped)).toContain('DATABASE_URL names the cell two');
    expect((await cells.run(['org', 'list'], swapped)).err).toContain('DATABASE_URL names the cell two');
  });

  it('is not used before somebody has set it up', async () => {
    const fresh = { POSTRIDER_CELLS: `two=${cells.two.url} five=${empty.url}` };
    expect((await cells.run(['org', 'list'], fresh)).err).toMatch(/The cell five: .*npx postrider migrate/);
  });
});
