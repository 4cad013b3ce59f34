/** A new master key while an API and a worker run on one data folder, and what the old one vouched for afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { runCli } from '../../src/processes/cli/run.ts';
import { PrivateKeyBox } from '../../src/resources/domains/private-key-box.ts';
import { countSealed } from '../../src/resources/secret-keys/reseal.ts';
import { rotateSecretKey, syncTurns } from '../../src/resources/secret-keys/rotate.ts';
import { giveTurn, liveHolders } from '../../src/resources/secret-keys/store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { addKeyToFolder, loadKeyRing } from '../../src/runtime/key-store.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';

const WAIT = { timeout: 20_000, interval: 50 };
const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0';

let dataDir: string;
let server: TestApi;
let worker: TestWorker;
let org: TestOrganization;
let domainId: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-rotate-'));
  const env = { POSTRIDER_SECRET_KEY: '', POSTRIDER_DATA_DIR: dataDir, POSTRIDER_HOSTNAME: 'mail.host.test' };
  server = await startApi({ env });
  worker = await startMailWorker(server.database, { ...env, POSTRIDER_PUBLIC_URL: server.url });
  org = await server.createOrganization();
  domainId = (await call('POST', '/domains', { domain: 'shop.example' })).id;
  await call('GET', `/domains/${domainId}/verify`);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await server.api(method, path, body, org.key);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

async function run(argv: string[], env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(argv, {
    loadConfig: () => parseConfig({ DATABASE_URL: server.database.url, POSTRIDER_DATA_DIR: dataDir, ...env }),
    clock: systemClock,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function send(to: string): Promise<string> {
  const letter = {
    from: { email: 'hello@shop.example' },
    to: [{ email: to }],
    subject: 'Hi',
    html: '<p>Hi</p>',
    track_opens: true,
    unsubscribe: true,
  };
  return (await call('POST', '/emails/send', letter)).message_id;
}

/** As it arrived in the sandbox. */
async function arrived(to: string): Promise<Answer['body']> {
  let found: { id: string }[] = [];
  await expect
    .poll(async () => {
      found = await call('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`);
      return found.length;
    }, WAIT)
    .toBe(1);
  return call('GET', `/sandbox/messages/${found[0]?.id}`);
}

const headerOf = (message: Answer['body'], name: string): string =>
  message.headers.find((one: { name: string }) => one.name === name)?.value ?? '';
const currentKey = async (): Promise<string> =>
  JSON.parse((await run(['secret', '--json'])).out).keys.find(
    (key: { state: string }) => key.state === 'current',
  ).id;

describe('a rotation of the secret key', () => {
  it('goes on while mail is sent, and everything from before still works', async () => {
    await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', enabled: false });
    const before = await currentKey();
    const oldId = await send('before@example.org');
    const old = await arrived('before@example.org');

    let sent = 0;
    let rotating = true;
    const sending = (async () => {
      for (; rotating || sent < 3; sent++) {
        await send(`during-${sent}@example.org`);
        await arrived(`during-${sent}@example.org`);
      }
    })();
    const rotated = await run(['secret', 'rotate']);
    rotating = false;
    await sending;
    expect(rotated).toMatchObject({ code: 0, err: '' });
    expect(rotated.out).toMatch(/[0-9a-f]{16} is the current key; [1-9]\d* values were sealed anew\./);
    const now = await currentKey();
    expect(now).not.toBe(before);
    expect([...(await countSealed(server.db)).keys()]).toEqual([now]);

    await send('after@example.org');
    const after = await arrived('after@example.org');
    for (const message of [
      old,
      after,
      await arrived('during-0@example.org'),
      await arrived(`during-${sent - 1}@example.org`),
    ])
      expect(message.authentication.dkim.result).toBe('pass');

    const pixel = /\/t\/o\/[^"]+/.exec(old.html)?.[0];
    await fetch(`${server.url}${pixel}`, { headers: { 'user-agent': READER } });
    await expect.poll(async () => (await call('GET', `/emails/${oldId}`)).status, WAIT).toBe('opened');
    const link = /<([^>]+)>/.exec(headerOf(old, 'List-Unsubscribe'))?.[1] as string;
    const unsubscribed = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(unsubscribed.status).toBe(200);
    const newLink = /<([^>]+)>/.exec(headerOf(after, 'List-Unsubscribe'))?.[1] as string;
    expect((await fetch(newLink)).status).toBe(200);
    expect(JSON.stringify(await call('GET', '/suppressions'))).toContain('before@example.org');
  });

  it('that was cut off after the key was made goes on with that key', async () => {
    const added = addKeyToFolder(dataDir);
    expect((await run(['secret', '--json'])).out).toContain('"next"');
    const rotated = await run(['secret', 'rotate', '--json']);
    expect(JSON.parse(rotated.out)).toMatchObject({ rotated: true, key: added.id });
  });

  it('that was cut off while sealing is finished by the next, with the same key', async () => {
    const ring = loadKeyRing({ secretKey: undefined, dataDir });
    await syncTurns(server.db, ring);
    const key = addKeyToFolder(dataDir);
    await expect
      .poll(async () => (await liveHolders(server.db)).every(({ key_ids }) => key_ids.includes(key.id)), WAIT)
      .toBe(true);
    await giveTurn(server.db, key.id, 0);
    const killed = rotateSecretKey({
      db: server.db,
      ring,
      addKey: null,
      nowMs: Date.now,
      say: (line) => {
        if (/\d values/.test(line)) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    expect([...(await countSealed(server.db)).keys()]).toHaveLength(2);
    const rotated = await run(['secret', 'rotate']);
    expect(rotated.out).toContain(`Going on with the rotation to ${key.id}.`);
    expect([...(await countSealed(server.db)).keys()]).toEqual([key.id]);
  });

  it('leaves a value alone that no key opens, and says which', async () => {
    const [row] = await server.db.many(
      adHoc<{ private_key: Buffer }>('SELECT private_key FROM domains WHERE id = $1'),
      [domainId],
    );
    const ring = loadKeyRing({ secretKey: 'z'.repeat(40), dataDir });
    const foreign = new PrivateKeyBox(ring).seal(domainId, Buffer.from('x'));
    const set = adHoc('UPDATE domains SET private_key = $2 WHERE id = $1');
    await server.db.exec(set, [domainId, foreign]);
    const rotated = await run(['secret', 'rotate']);
    expect(rotated.code).toBe(1);
    expect(rotated.out).toContain(`Left as it was: The DKIM key of ${domainId} does not open`);
    await server.db.exec(set, [domainId, row?.private_key]);
  });

  it("counts what was sealed before keys had ids apart, because it is no key's zero", async () => {
    const read = adHoc<{ private_key: Buffer }>('SELECT private_key FROM domains WHERE id = $1');
    const [row] = await server.db.many(read, [domainId]);
    const set = adHoc('UPDATE domains SET private_key = $2 WHERE id = $1');
    await server.db.exec(set, [domainId, Buffer.concat([Buffer.from([1]), Buffer.alloc(40, 7)])]);
    const shown = (await run(['secret'])).out;
    await server.db.exec(set, [domainId, row?.private_key]);
    expect(shown).toContain('Sealed before keys had ids, until the next rotation: 1');
    expect((await run(['secret'])).out).not.toContain('before keys had ids');
  });

  it('leaves the old key until it is retired, and that must be meant', async () => {
    const { keys } = JSON.parse((await run(['secret', '--json'])).out);
    const [first] = keys;
    expect(first).toMatchObject({ state: 'old', known_here: true, sealed_values: 0 });
    expect((await run(['secret', 'retire', await currentKey(), '--yes'])).err).toContain(
      'is the current key',
    );
    expect((await run(['secret', 'retire', first.id])).err).toContain('stop working for good');
    expect(await run(['secret', 'retire', first.id, '--yes'])).toMatchObject({ code: 0 });
    const left = JSON.parse((await run(['secret', '--json'])).out).keys;
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(first.id);
    const old = await arrived('before@example.org');
    const link = /<([^>]+)>/.exec(headerOf(old, 'List-Unsubscribe'))?.[1] as string;
    await expect.poll(async () => (await fetch(link)).status, WAIT).toBe(404);
  });
});

describe('with keys from the environment', () => {
  it('a rotation says what to set, and refuses a key that not every process can read', async () => {
    const file = loadKeyRing({ secretKey: undefined, dataDir });
    expect(file.keys.length).toBeGreaterThan(1);
    const env = { POSTRIDER_SECRET_KEY: 'e'.repeat(40) };
    const refused = await run(['secret', 'rotate', '--json', '--wait', '0'], env);
    expect(refused.code).toBe(1);
    const answer = JSON.parse(refused.out);
    expect(answer).toMatchObject({ rotated: false, reason: 'not_held' });
    expect(answer.missing.join()).toMatch(/api on .*worker on /s);
  });
});
