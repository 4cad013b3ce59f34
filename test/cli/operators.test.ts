/** What an operator does for an organization from a shell: suppressions, webhooks, a test mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
let receiver: WebhookReceiver;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization('Only');
  worker = await startMailWorker(server.database);
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
  await server.stop();
});

const env = () => ({ DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY });
const run = (...argv: string[]) => runCommand(argv, env());

async function json(...argv: string[]) {
  const { code, out, err } = await run(...argv, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const sendTo = async (email: string) =>
  (
    await server.api(
      'POST',
      '/emails/send',
      { from: { email: `shop@${org.domain}` }, to: [{ email }], subject: 'Hi', text: 'Hi' },
      org.key,
    )
  ).status;

describe('suppressions on the command line', () => {
  it('keep mail from an address until they are removed', async () => {
    const added = await run('suppression', 'add', 'Ada@example.org', '--reason', 'complaint');
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(await sendTo('ada@example.org')).toBe(400);
    const removed = await run('suppression', 'remove', 'ada@example.org');
    expect(removed.out).toBe('ada@example.org may be mailed again. It was suppressed for: complaint.');
    expect(await sendTo('ada@example.org')).toBe(201);
  });

  it('are listed, all of them or those of one address', async () => {
    await json('suppression', 'add', 'bob@example.org');
    await json('suppression', 'add', 'eve@example.org', '--reason', 'hard_bounce');
    expect((await run('suppression', 'list')).out).toMatch(/^eve@example\.org +hard_bounce +- +manual/m);
    const bobs = await json('suppression', 'list', 'BOB@example.org');
    expect(bobs).toMatchObject([{ id: expect.stringMatching(/^sup_/), reason: 'manual' }]);
    const bounced = await json('suppression', 'list', '--reason', 'hard_bounce');
    expect(bounced).toMatchObject([{ email: 'eve@example.org' }]);
    expect((await run('suppression', 'list', '--last', '1')).out).toContain('1 of 2. --last shows more.');
    expect((await run('suppression', 'list', 'no@example.org')).out).toBe(
      'no@example.org is not suppressed.',
    );
  });

  it('of what is no address, no reason, or not on the list are refused', async () => {
    expect(await run('suppression', 'add', 'nobody')).toMatchObject({ code: 2, out: '' });
    const wrong = await run('suppression', 'add', 'a@example.org', '--reason', 'spite');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--reason must be hard_bounce,');
    const missing = await run('suppression', 'remove', 'a@example.org');
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toContain('a@example.org is not suppressed');
  });
});

describe('webhooks on the command line', () => {
  it('are added, listed, and say what they answer to a test', async () => {
    const made = await json('webhook', 'add', receiver.url, '--events', 'email.delivered,email.bounced');
    expect(made).toMatchObject({ secret: expect.stringMatching(/^whsec_/), enabled: true });
    const { out } = await run('webhook', 'list');
    expect(out).toMatch(/^whk_\w+ +http:\S+ +email\.delivered,email\.bounced +postrider +active/m);
    expect(out).not.toContain('whsec_');
    const tested = await run('webhook', 'test', made.id, '--type', 'email.bounced', '--wait', '60');
    expect(tested).toEqual({ code: 0, err: '', out: `${receiver.url} took the test: it answered 204.` });
  });

  it('that nobody serves are said to be not reached, with exit code 1', async () => {
    const { id } = await json('webhook', 'add', 'http://127.0.0.1:1/');
    const { code, out } = await run('webhook', 'test', id, '--wait', '60');
    expect(code).toBe(1);
    expect(out).toContain('http://127.0.0.1:1/ did not take the test');
  });

  it('with a wrong URL, a wrong event or an unknown id are refused', async () => {
    const wrongUrl = await run('webhook', 'add', 'ftp://example.org/');
    expect(wrongUrl).toMatchObject({ code: 2, out: '' });
    expect(wrongUrl.err).toMatch(/^URL /);
    const wrongType = await run('webhook', 'add', receiver.url, '--events', 'email.deliverd');
    expect(wrongType.err).toContain('Did you mean email.delivered?');
    const unknown = await run('webhook', 'test', 'whk_none');
    expect(unknown).toMatchObject({
      code: 1,
      out: '',
      err: 'No webhook has this id. GET /webhooks lists the webhooks.',
    });
  });
});

describe('a test mail', () => {
  it('is sent from a domain of the organization, and is said to be delivered', async () => {
    const { code, out, err } = await run('send', 'delivered@simulator.test', '--wait', '60');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`from postrider-test@${org.domain} to delivered@simulator.test.`);
    expect(out).toMatch(/^Delivered\./m);
  });

  it('that bounces is said to bounce, with what the server said, and exit code 1', async () => {
    const { code, out } = await run('send', 'bounced@simulator.test', '--wait', '60');
    expect(code).toBe(1);
    expect(out).toMatch(/^Not delivered: bounced \(\w+\)\. .*said: 550 /m);
  });

  it('does not wait where it is told not to', async () => {
    const sent = await json('send', 'delivered@simulator.test', '--wait', '0', '--subject', 'Now');
    expect(sent).toMatchObject({ status: 'queued', from: `postrider-test@${org.domain}` });
    const { body } = await server.api('GET', `/emails/${sent.id}`, undefined, org.key);
    expect(body.data.subject).toBe('Now');
  });

  it('from a domain that is not verified, or to no address, is refused and nothing is sent', async () => {
    const foreign = await run('send', 'delivered@simulator.test', '--from', 'a@foreign.example');
    expect(foreign).toMatchObject({ code: 2, out: '' });
    expect(foreign.err).toContain('foreign.example');
    expect(await run('send', 'nobody')).toMatchObject({ code: 2, out: '' });
    expect((await run('send', 'a@b.test', '--subject', 'two\nlines')).err).toContain('--subject must be');
  });
});

describe('an export', () => {
  const argv = () => ['export', 'ada@example.org', '--org', org.id];

  it('shows a percentage on a terminal, apart from its answer', async () => {
    const shown: string[] = [];
    const live = { show: (text: string) => void shown.push(text), clear: () => undefined };
    const { code, out } = await runCommand(argv(), env(), live);
    expect([code, typeof JSON.parse(out)]).toEqual([0, 'object']);
    expect(shown[0]).toBe('Reading emails (0 %)');
  });

  it('prints nothing but its answer elsewhere', async () => {
    const { out, err } = await run(...argv());
    expect([typeof JSON.parse(out), err]).toEqual(['object', '']);
  });
});

describe('without --org', () => {
  it('a command asks for it where there are several organizations', async () => {
    await server.createOrganization('Second');
    for (const argv of [
      ['suppression', 'list'],
      ['webhook', 'list'],
      ['send', 'a@simulator.test'],
    ]) {
      const { code, err } = await run(...argv);
      expect([code, err]).toEqual([2, expect.stringContaining('Name an organization with --org ID.')]);
    }
  });
});
