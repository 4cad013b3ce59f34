/** `canary`, as an operator types it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';

const RULE = { steps: [{ choices: [{ transport: 'default' }] }], canary: { name: 'off-acme', to: 'pool' } };
const POOL = { name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.7' }] };

let server: TestApi;
let operator: Person;
beforeAll(async () => {
  server = await startApi();
  await server.createOrganization('First');
  operator = await signUpOwner(server);
});
beforeEach(async () => {
  await server.db.exec(adHoc('TRUNCATE canary_counts, canary_steps, canary_shares, canaries'));
  await put([RULE]);
});
afterAll(() => server.stop());

const run = (...argv: string[]) => runCommand(['canary', ...argv], { DATABASE_URL: server.database.url });

async function put(rules: readonly object[]): Promise<void> {
  const { version } = (await operator.api('GET', '/routes')).body.data;
  await operator.api('PUT', '/routes', { version, transports: [POOL], rules });
}

/** A share of 1 % of the mail to a provider. */
async function begin(provider: string): Promise<void> {
  const sent = { sent: 200, deferred: 3, bounced: 0, complained: 0 };
  await addCanaryCounts(server.db, [{ canary: 'off-acme', provider, way: 'old', ...sent }]);
  const deps = { db: server.db, clock: { nowMs: () => Date.now() }, log: createLog('test', 'silent') };
  await server.db.exec(adHoc(`UPDATE canaries SET looked_at = '-infinity'`));
  await reviewCanaries(deps, new AbortController().signal);
}

it('lists canaries with the share of each provider', async () => {
  await begin('google');
  await begin('yahoo');
  expect((await run('list')).out).toMatch(/^off-acme +1 +pool +- +google 1 %, yahoo 1 %$/m);
  await put([]);
  expect((await run('list')).out).toBe('No rule has a canary.');
});

it('shows how mail fares on both ways, and the last steps', async () => {
  expect((await run('show', 'off-acme')).out).toContain(
    'The canary starts with the first mail that the rule matches.',
  );
  await begin('google');
  const { out } = await run('show', 'off-acme');
  expect(out).toContain(
    'Rule 1 moves to pool: 1, 5, 10, 25, 50, 100 %, a step after 60 minutes and 100 emails.',
  );
  expect(out).toContain('It may be worse by: deferred 0.05, bounced 0.02, complained 0.001.');
  expect(out).toMatch(/^google +1 % +0 sent, .* The canary moves on to 5 %/m);
  expect(out).toMatch(/ {2}rise {2}1 % of the mail to google goes through pool from now on\.$/m);
  expect(JSON.parse((await run('show', 'off-acme', '--json')).out)).toMatchObject({
    canary: { name: 'off-acme', shares: [{ provider: 'google', percent: 1 }] },
    steps: [{ kind: 'rise' }],
  });
});

it('pauses, resumes and takes back one provider, or all of them', async () => {
  await begin('google');
  await begin('yahoo');
  const paused = async () =>
    JSON.parse((await run('list', '--json')).out)[0].shares.map((one: { paused: boolean }) => one.paused);
  const { out } = await run('pause', 'off-acme', '--provider', 'google');
  expect(out).toMatch(/^The canary stays at its share until it is resumed\.\nPROVIDER/);
  expect(await paused()).toEqual([true, false]);
  await run('pause', 'off-acme');
  expect(await paused()).toEqual([true, true]);
  await run('resume', 'off-acme');
  expect(await paused()).toEqual([false, false]);
  expect((await run('back', 'off-acme')).out).toMatch(
    /^All mail takes the old transports until the canary is resumed\./,
  );
  expect((await run('list')).out).toMatch(/google 0 %, yahoo 0 %$/m);
});

it('finishes one, which changes the table', async () => {
  const { out } = await run('finish', 'off-acme');
  expect(out).toBe(
    'All mail of the rule goes through pool from now on; the previous steps are the fallback.',
  );
  const { rules } = (await operator.api('GET', '/routes')).body.data;
  expect(rules).toMatchObject([{ steps: [{ choices: [{ transport: 'pool' }] }, {}], canary: null }]);
});

it.each([
  [['show', 'nobody'], 'No rule has a canary nobody. See: npx postrider canary list'],
  [
    ['pause', 'nobody'],
    'No rule has a canary with this name. `npx postrider canary list` shows the canaries.',
  ],
  [
    ['pause', 'off-acme', '--provider', 'google'],
    'No mail of the canary off-acme has gone to google yet. `npx postrider canary list` shows the providers.',
  ],
])('says of %j what is wrong, and where to look', async (argv, words) => {
  expect(await run(...argv)).toEqual({ code: 1, out: '', err: words });
});
