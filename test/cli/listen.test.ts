/** `npx postrider listen`: an application on this machine hears what webhooks would tell it. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { TEST_OPERATOR } from '../support/command-line.ts';
import { openTcpGate } from '../support/tcp-gate.ts';
import { until } from '../support/until.ts';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

let apps = 0;

/** Runs it until the function that it gives is called; resolves when it follows. */
async function listen(options: readonly string[] = [], url = fixture.server.url) {
  const path = `/app-${++apps}`;
  const enough = new AbortController();
  const lines: string[] = [];
  const problems: string[] = [];
  let press: (key: string) => void = () => {};
  const argv = ['listen', '--forward-to', `http://127.0.0.1:${fixture.receiver.port}${path}`, ...options];
  const ended = runCli([...argv, '--url', url, '--key', fixture.org.key], {
    loadConfig: () => parseConfig({}),
    clock: systemClock,
    out: (text) => lines.push(text),
    err: (text) => problems.push(text),
    operator: TEST_OPERATOR,
    become: async () => {},
    enough: enough.signal,
    onKey: (hear) => {
      press = hear;
      return () => {};
    },
  });
  await until(
    async () => lines,
    (said) => said.some((line) => line.startsWith('Following')) || problems.length > 0,
  );
  return {
    lines,
    problems,
    secret: /whsec_\S+/.exec(lines.join('\n'))?.[0] ?? '',
    calls: () => fixture.receiver.received.filter((call) => call.path === path),
    press: (key: string) => press(key),
    stop: async () => {
      enough.abort();
      return ended;
    },
  };
}

type Listening = Awaited<ReturnType<typeof listen>>;

const typesOf = (listening: Listening) => listening.calls().map(({ body }) => body.type);

/** It may have joined after the first events of a mail; what comes last is heard. */
async function untilHeard(listening: Listening, type: string) {
  await until(
    async () => typesOf(listening),
    (types) => types.includes(type),
  );
}

describe('npx postrider listen', () => {
  it('forwards what happens, signed as a webhook is, and says what was answered', async () => {
    const listening = await listen();
    await fixture.send();
    await untilHeard(listening, 'email.delivered');
    for (const { headers, text } of listening.calls()) new Webhook(listening.secret).verify(text, headers);
    // It was heard; what was answered is said a moment later.
    await until(
      async () => listening.lines,
      (lines) => lines.some((line) => line.startsWith('email.delivered')),
    );
    expect(await listening.stop()).toBe(0);
    expect(listening.lines.join('\n')).toMatch(/^email\.delivered .* evt_\w+ {2}→ 20\d in \d+ ms$/m);
  });

  it('tells the same as a webhook', async () => {
    await fixture.hook('/real');
    const listening = await listen();
    await fixture.send();
    await untilHeard(listening, 'email.delivered');
    const real = await until(
      async () => fixture.receiver.received.filter((call) => call.path === '/real'),
      (calls) => calls.some(({ body }) => body.type === 'email.delivered'),
    );
    await listening.stop();
    const delivered = (calls: readonly ReceivedWebhook[]) =>
      calls.find(({ body }) => body.type === 'email.delivered')?.text;
    expect(delivered(listening.calls())).toBe(delivered(real));
  });

  it('sends the last event again at the press of a key', async () => {
    const listening = await listen(['--events', 'email.delivered']);
    await fixture.send();
    await untilHeard(listening, 'email.delivered');
    await until(
      async () => listening.lines,
      (lines) => lines.some((line) => line.startsWith('email.delivered')),
    );
    listening.press('r');
    const calls = await until(
      async () => listening.calls(),
      ({ length }) => length === 2,
    );
    await listening.stop();
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(typesOf(listening)).toEqual(['email.delivered', 'email.delivered']);
  });

  it('speaks the words of another service, with a secret that was given', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const listening = await listen(['--format', 'resend', '--secret', secret]);
    await fixture.send();
    await untilHeard(listening, 'email.delivered');
    await listening.stop();
    expect(listening.secret).toBe(secret);
    const [call] = listening.calls();
    expect(call?.headers['svix-id']).toMatch(/^evt_/);
    expect(call?.body.data).toHaveProperty('email_id');
  });

  it('goes on after the line broke, and misses nothing', async () => {
    const gate = await openTcpGate('127.0.0.1', Number(new URL(fixture.server.url).port));
    const listening = await listen(['--events', 'email.delivered'], `http://127.0.0.1:${gate.port}`);
    const people = ['before@example.org', 'during@example.org'];
    const recipients = () => listening.calls().map(({ body }) => body.data.recipient);
    await fixture.send({ to: [{ email: people[0] }] });
    await until(async () => recipients().includes(people[0]));
    await gate.shut();
    await fixture.send({ to: [{ email: people[1] }] });
    await gate.open();
    await until(async () => recipients().includes(people[1]));
    await listening.stop();
    await gate.shut();
    expect(recipients().filter((one) => people.includes(one))).toEqual(people);
    expect(listening.lines.filter((line) => line.startsWith('Following'))).toHaveLength(2);
  });

  it.each([
    [['--forward-to', 'localhost:8000'], '--forward-to must be a URL'],
    [['--forward-to', 'http://localhost:1/', '--events', 'email.eaten'], 'There is no event email.eaten'],
    [['--forward-to', 'http://localhost:1/', '--format', 'ses'], 'There is no format ses'],
    [['--forward-to', 'http://localhost:1/', '--secret', 'whsec_x'], '--secret must be'],
  ])('refuses %j', async (options, problem) => {
    const err: string[] = [];
    const code = await runCli(['listen', '--key', 'pr_x', ...options], {
      loadConfig: () => parseConfig({}),
      clock: systemClock,
      out: () => {},
      err: (text) => err.push(text),
      operator: TEST_OPERATOR,
      become: async () => {},
    });
    expect([code, err.join('\n')]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('ends with what the installation says of a key that is none', async () => {
    const err: string[] = [];
    const argv = [
      'listen',
      '--forward-to',
      'http://localhost:1/',
      '--url',
      fixture.server.url,
      '--key',
      'no',
    ];
    const code = await runCli(argv, {
      loadConfig: () => parseConfig({}),
      clock: systemClock,
      out: () => {},
      err: (text) => err.push(text),
      operator: TEST_OPERATOR,
      become: async () => {},
    });
    expect([code, err.join('\n')]).toEqual([
      1,
      expect.stringContaining('The API key is unknown, expired or revoked'),
    ]);
  });
});

describe('GET /emails/:id/events/:event_id/webhook', () => {
  const getWebhook = (emailId: string, eventId: string, key = fixture.org.key) =>
    fixture.server.api('GET', `/emails/${emailId}/events/${eventId}/webhook`, undefined, key);

  it('tells nothing of another organization’s events', async () => {
    const id = await fixture.send();
    const event = await until(async () => (await fixture.call('GET', `/emails/${id}`)).events[0]);
    expect((await getWebhook(id, event.id)).body.data.body).toContain(event.id);
    const stranger = await fixture.server.createOrganization();
    expect((await getWebhook(id, event.id, stranger.key)).status).toBe(404);
  });

  it.each([
    ['no', 'evt_01a1dd5e951b704f81e9a76fd2c8ca20'],
    ['01a1dd5e-9000-7000-8000-9d2f6a1b3c4d', 'no'],
    ['01a1dd5e-9000-7000-8000-9d2f6a1b3c4d', 'evt_01a1dd5e951b704f81e9a76fd2c8ca20'],
  ])('does not find %s %s', async (emailId, eventId) => {
    expect((await getWebhook(emailId, eventId)).status).toBe(404);
  });
});
