/** `npx postrider queue` while a worker runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { runCommand } from '../support/command-line.ts';
import { Rival } from '../support/rival.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const SITE = 'mx.quiet.test';
const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { quiet: {}, full: { rcpt: '450 4.2.1 Not now' } } });
  await live.seed('quiet', ORG, 1);
  await live.startWorker();
  await live.whenSent();
  // The worker stores the site a little later.
  await until(
    () => cli(['queue', 'pause', SITE]),
    ({ code }) => code === 0,
  );
});
afterAll(() => live.stop());

const cli = (argv: readonly string[]) => runCommand(argv, { DATABASE_URL: live.database.url });

const view = async (site: string) => {
  const sites: { site: string }[] = JSON.parse((await cli(['queue', '--json'])).out);
  return sites.find((one) => one.site === site);
};

describe('a site that is paused', () => {
  it('gets nothing, and the queue says so', async () => {
    // The worker reads the conditions of sites every two seconds. After the next read it applies the pause.
    const rival = await Rival.holding(live.database.url, 'LOCK TABLE sites');
    await rival.isWaitedFor();
    await rival.letGo();
    await live.seed('quiet', ORG, 3);
    await live.seed('full', ORG, 1);
    await until(
      () => live.events(ORG),
      (events) => events.some((event) => event.type === 'deferred'),
    );
    expect(live.sink('quiet').messageCount).toBe(1);
    expect(await view(SITE)).toMatchObject({ due: 3, waiting: 0, claimed: 0, state: 'paused', domains: 1 });
    expect((await cli(['queue'])).out).toMatch(/SITE .*\n(.*\n)*mx\.quiet\.test .* paused/);
  });

  it('gets it all when it is resumed', async () => {
    expect((await cli(['queue', 'resume', SITE])).code).toBe(0);
    await live.sink('quiet').waitForMessages(4);
    expect((await cli(['queue', 'resume', SITE])).out).toContain('was not held up');
  });
});

describe('deferred mail', () => {
  it('of a site is due when it is flushed, and scheduled mail is not', async () => {
    const tries = () =>
      live.events(ORG).then((all) => all.filter((event) => event.type === 'deferred').length);
    await live.seed('full', ORG, 1, { dueInMs: 3_600_000 });
    await until(
      () => view('mx.full.test'),
      (one) => one !== undefined,
    );
    // The name that the queue shows until mail was delivered to the domain.
    const { out, code } = await cli(['queue', 'flush', 'full.test at mx.full.test']);
    expect({ out, code }).toEqual({ out: '1 deferred delivery is due now.', code: 0 });
    expect((await cli(['queue', 'flush', 'mx.full.test'])).code).toBe(0);
    await until(tries, (count) => count >= 2);
  });

  it('of an organization is due when it is flushed', async () => {
    const { id } = await createOrganization(live.db, systemClock, { name: 'One', dailyLimit: 0 });
    await live.seed('quiet', id, 2, { dueInMs: 3_600_000, attempt: 1 });
    expect((await cli(['queue', 'flush', '--org', id])).out).toContain('2 deferred');
    await live.whenSent(id);
  });
});

describe('a mistake is explained:', () => {
  it.each([
    [['queue', 'pause', 'nowhere.test'], 1, 'No mail went to a site nowhere.test'],
    [['queue', 'flush', 'nowhere.test'], 1, 'No mail went to a site nowhere.test'],
    [['queue', 'flush'], 2, 'Name a SITE'],
    [['queue', 'flush', '--org', 'org_none'], 1, 'There is no organization org_none'],
    [['queue', 'flush', 'a', 'b'], 2, 'Too many arguments'],
    [['queue', 'pause'], 2, 'Missing: SITE'],
  ])('%j', async (argv, code, words) => {
    const answer = await cli(argv);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(words);
  });
});
