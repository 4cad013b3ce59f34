/** `hold`, `release` and `discard`, as an operator types them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Seed, seedMail } from '../support/seed-mail.ts';

let test: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.db.exec(
    adHoc(
      `INSERT INTO site_domains (domain, site, provider) VALUES ('there.test', 'mx.there.test', 'other')`,
    ),
  );
  organizationId = (await createOrganization(test.db, systemClock, { name: 'One', dailyLimit: 0 })).id;
});
afterAll(() => test.drop());
afterEach(() => test.db.exec(adHoc('TRUNCATE holds, outbox')));

const run = (argv: readonly string[]) => runCommand(argv, { DATABASE_URL: test.url });
const seed = (count: number, more: Partial<Seed> = {}) =>
  seedMail(test.db, { organizationId, domain: 'there.test', count, ...more });
const parked = async () =>
  (await test.db.one(adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE hold_id IS NOT NULL')))
    .count;

it('says how much mail would go and how old it is, and lets it go with --yes', async () => {
  await seed(600);
  await seed(2, { dueInMs: 3_600_000 });
  const placed = await run(['hold', 'all', '--reason', 'restored from a backup', '--json']);
  const { id } = JSON.parse(placed.out);
  const asked = await run(['release']);
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toMatch(
    /^all is held: restored from a backup\nDeliveries that would be sent: 600, the oldest accepted \d+ s ago\. 2 more are due later: .* Add --yes to confirm\.$/,
  );
  const done = await run(['release', id, '--yes']);
  expect(done).toEqual({
    code: 0,
    err: '',
    out: 'The hold is released: 600 deliveries let go, 0 discarded.',
  });
  expect(await parked()).toBe(0);
  expect((await run(['release'])).err).toBe('Nothing is held.');
});

it('says what ends as failed because its lifetime was over before the hold', async () => {
  await seed(1);
  await seed(2, { dueInMs: -20_000, expiresInMs: -10_000 });
  await placeHold(test.db, { scope: 'all', reason: 'restored' });
  expect((await run(['release'])).err).toMatch(
    /Deliveries that would be sent: 1, the oldest accepted \d+ s ago\. 2 more end as failed/,
  );
});

it('discards with a reason, and says how much first', async () => {
  await seed(3);
  await seed(1, { dueInMs: 3_600_000 });
  const { out } = await run(['hold', 'organization', organizationId, '--reason', 'a mistake']);
  const id = /discard (hold_\w+)/.exec(out)?.[1] ?? '';
  expect((await run(['discard', id, '--reason', 'not to be sent'])).err).toContain(
    'Deliveries that would never be sent: 4',
  );
  const done = await run(['discard', id, '--reason', 'not to be sent', '--yes']);
  expect(done.out).toBe('The hold is discarded: 0 deliveries let go, 4 discarded.');
  const events = await test.db.many(
    adHoc(`SELECT type, reason, count(*) FROM events WHERE organization_id = $1 GROUP BY 1, 2`),
    [organizationId],
  );
  expect(events).toEqual([{ type: 'rejected', reason: 'hold_discarded', count: 4 }]);
});

describe('a hold of a template', () => {
  const PLACE = ['hold', 'template', 'receipt', '--reason', 'wrong prices'];

  async function templateIn(organization: string, alias: string, id: string): Promise<string> {
    await test.db.exec(
      adHoc(`WITH template AS (
               INSERT INTO templates (organization_id, id, name, alias, subject, version, created_at, updated_at)
               VALUES ($1, $2, 'Receipt', $3, 'S', 1, now(), now()))
             INSERT INTO template_versions (organization_id, template_id, version, subject, html, text, created_at)
             VALUES ($1, $2, 1, 'S', '<p>x</p>', '', now())`),
      [organization, id, alias],
    );
    return id;
  }
  const mailOf = async (id: string, count: number) => {
    await seed(count);
    await test.db.exec(adHoc('UPDATE emails SET template_id = $1 WHERE template_id IS NULL'), [id]);
  };
  afterEach(async () => {
    await test.db.exec(adHoc('DELETE FROM template_versions'));
    await test.db.exec(adHoc('DELETE FROM templates'));
    await test.db.exec(adHoc('DELETE FROM emails'));
  });

  it('takes the organization that has it, and says how much it covers', async () => {
    await mailOf(await templateIn(organizationId, 'receipt', 'tmpl_receipt'), 5);
    const { code, out } = await run(PLACE);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('The hold covers 5 deliveries in the queue now.'),
    ]);
    expect((await run(['hold', 'list', '--json'])).out).toContain('"value": "tmpl_receipt"');
  });

  it('asks for --org where several organizations have one of that alias', async () => {
    const { id: other } = await createOrganization(test.db, systemClock, { name: 'Two', dailyLimit: 0 });
    await mailOf(await templateIn(organizationId, 'receipt', 'tmpl_receipt'), 2);
    await templateIn(other, 'receipt', 'tmpl_other');
    const { code, err } = await run(PLACE);
    expect([code, err]).toEqual([2, expect.stringContaining('Name one with --org:')]);
    expect(err).toContain(organizationId);
    expect(err).toContain(`${other}  Two`);
    expect((await run([...PLACE, '--org', organizationId])).out).toContain('The hold covers 2 deliveries');
  });
});

it('of a tag that no mail has is placed only when it is asked for ahead of the mail', async () => {
  const place = ['hold', 'tag', 'campaign:sprong', '--reason', 'wrong prices'];
  const { code, err } = await run(place);
  expect([code, err]).toEqual([2, expect.stringContaining('add --ahead')]);
  const ahead = await run([...place, '--ahead']);
  expect([ahead.code, ahead.out]).toEqual([
    0,
    expect.stringContaining('The hold covers no delivery in the queue'),
  ]);
});

it('of a tag is found among the mail of any organization', async () => {
  await seed(3, { tags: [{ name: 'campaign', value: 'spring' }] });
  const { code, out } = await run(['hold', 'tag', 'campaign:spring', '--reason', 'wrong prices']);
  expect([code, out]).toEqual([0, expect.stringContaining('The hold covers 3 deliveries in the queue now.')]);
});

it('lists holds with who, since when and why', async () => {
  expect((await run(['hold', 'list'])).out).toBe('Nothing is held.');
  await run(['hold', 'tag', 'kind:news', '--reason', 'wrong list', '--org', organizationId, '--ahead']);
  expect((await run(['hold', 'list'])).out).toMatch(
    /hold_\w+ +tag kind:news +org_\w+ +in_force .* operator ada +wrong list$/m,
  );
});

it.each([
  [['hold', 'everything', '--reason', 'x'], 2, 'SCOPE must be one of all, organization'],
  [['hold', 'all'], 2, 'Missing: --reason'],
  [['hold', 'provider', 'nobody', '--reason', 'x'], 2, 'VALUE is not a provider or site'],
  [
    ['hold', 'provider', 'there.test at mx.there.test', '--reason', 'x'],
    2,
    'to hold mail to the site: mx.there.test',
  ],
  [['hold', 'tag', '--reason', 'x'], 2, 'VALUE must say which tag'],
  [
    ['hold', 'template', 'nobodys', '--reason', 'x'],
    2,
    'No organization has a template with the id or alias',
  ],
  [['hold', 'domain', 'nobodys.example', '--reason', 'x'], 2, 'VALUE is not a domain of any organization'],
  [['hold', 'key', 'key_none', '--reason', 'x'], 1, 'There is no key key_none'],
  [
    ['hold', 'domain', 'shop.example', '--reason', 'x', '--ahead'],
    2,
    '--ahead is allowed for the scope tag only',
  ],
  [['hold', 'organization', 'org_none', '--reason', 'x'], 1, 'There is no organization org_none'],
  [['hold', 'organization', '--reason', 'x'], 2, 'must say which organization'],
  [['release', 'hold_none'], 1, 'There is no hold hold_none'],
])('explains a mistake: %j', async (argv, code, words) => {
  const answer = await run(argv);
  expect(answer.err).toContain(words);
  expect(answer.code).toBe(code);
  expect((await run(['hold', 'list'])).out).toBe('Nothing is held.');
});

it('asks which one where there are several', async () => {
  await run(['hold', 'all', '--reason', 'x']);
  expect((await run(['hold', 'all', '--reason', 'x'])).err).toContain('An identical hold already exists');
  await run(['hold', 'organization', organizationId, '--reason', 'x']);
  expect((await run(['release', '--yes'])).err).toContain('There are several holds.');
});
