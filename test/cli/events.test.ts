import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { appendEvents, type EventType } from '../../src/events/append.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { TEST_OPERATOR } from '../support/command-line.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  await happen(['queued', 'processing', 'delivered']);
});
afterAll(() => server.stop());

async function happen(types: readonly EventType[], recipient = 'ada@example.org') {
  const atMs = Date.now();
  const emailId = uuidv7(atMs);
  const events = types.map((type) => ({
    organizationId: org.id,
    emailId,
    position: 0,
    recipient,
    type,
    atMs,
  }));
  await server.db.transaction((tx) => appendEvents(tx, events));
}

function run(argv: string[], onLine: (line: string) => void = () => {}, enough?: AbortSignal) {
  const out: string[] = [];
  const err: string[] = [];
  return runCli(['events', ...argv], {
    loadConfig: () => parseConfig({ DATABASE_URL: server.database.url }),
    clock: systemClock,
    out: (text) => {
      out.push(text);
      onLine(text);
    },
    err: (text) => err.push(text),
    operator: TEST_OPERATOR,
    become: async () => {},
    ...(enough === undefined ? {} : { enough }),
  }).then((code) => ({ code, out: out.join('\n'), err: err.join('\n') }));
}

describe('npx postrider events', () => {
  it('shows the last ones, the oldest first', async () => {
    const { out } = await run(['--org', org.id, '--last', '2']);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}processing {2}ada@example.org {2}/),
      expect.stringMatching(/ {2}delivered /),
    ]);
  });

  it('gives programs what the API gives', async () => {
    const { out } = await run(['--org', org.id, '--type', 'queued', '--json']);
    const { body } = await server.api('GET', '/events?type=queued', undefined, org.key);
    expect(JSON.parse(out)).toEqual(body.data);
  });

  it('goes on until it is told to stop', async () => {
    const enough = new AbortController();
    const followed = run(
      ['--org', org.id, '--follow', '--last', '1', '--json'],
      (text) => {
        const { type } = JSON.parse(text);
        if (type === 'delivered') void happen(['bounced'], 'grace@example.org');
        if (type === 'bounced') enough.abort();
      },
      enough.signal,
    );
    const { code, out } = await followed;
    expect(code).toBe(0);
    expect(out.split('\n').map((text) => JSON.parse(text).type)).toEqual(['delivered', 'bounced']);
  });

  it.each([
    [['--type', 'sent'], /no type sent.*queued, /],
    [['--last', 'many'], /--last must be a whole number/],
    [['--org', 'org_0000000000000'], /no organization/],
  ])('explains what is wrong with %s', async (argv, words) => {
    const { code, err } = await run(argv);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(words);
  });
});
