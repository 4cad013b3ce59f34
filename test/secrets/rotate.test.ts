/** A new master key while an API and a worker run on one data folder, and what the old one vouched for afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { PrivateKeyBox } from '../../src/domains/signing-keys.ts';
import { countSealed } from '../../src/operations/secret-keys/reseal.ts';
import { syncTurns } from '../../src/operations/secret-keys/rotate.ts';
import { giveTurn, liveHolders, retireKey } from '../../src/operations/secret-keys/store.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { addKeyToFolder, loadKeyRing } from '../../src/runtime/key-store.ts';
import { sealedPrefix } from '../../src/runtime/sealed-box.ts';
import type { SecretKey } from '../../src/runtime/secret-key.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { secretsHeld, seedSecrets } from './sealed-secrets.ts';

const WAIT = { timeout: 20_000, interval: 50 };
const CLI = fileURLToPath(new URL('../../dist/processes/cli.js', import.meta.url));
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
  // A look at a domain makes the key that it has not got yet: none may come while what is sealed is counted.
  for (const { id } of await call('GET', '/domains')) await call('GET', `/domains/${id}/verify`);
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

const run = (argv: string[], env: Record<string, string> = {}) =>
  runCommand(argv, { DATABASE_URL: server.database.url, POSTRIDER_DATA_DIR: dataDir, ...env });

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

const ringOfFolder = () => loadKeyRing({ secretKey: undefined, dataDir });

/** `kill -9` when it has sealed everything up to this webhook, which it is kept from changing. */
async function rotateAndKillAt(id: string, { id: keyId }: SecretKey): Promise<void> {
  const other = new pg.Client({ connectionString: server.database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id]);
  const env = { DATABASE_URL: server.database.url, POSTRIDER_DATA_DIR: dataDir, POSTRIDER_SECRET_KEY: '' };
  const child = spawn(process.execPath, [CLI, 'secret', 'rotate'], { env: { ...process.env, ...env } });
  const ended = once(child, 'exit');
  const left = adHoc<{ id: string }>(
    'SELECT id FROM webhook_endpoints WHERE id < $1 AND substring(secret FROM 1 FOR 9) <> $2',
  );
  await expect.poll(() => server.db.many(left, [id, sealedPrefix(keyId)]), WAIT).toEqual([]);
  child.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
  await other.query('ROLLBACK');
  await other.end();
}

const lastAuditEntry = () =>
  server.db.maybeOne(
    adHoc(`SELECT action, target_id, actor_name FROM audit_log WHERE actor_type = 'operator'
           ORDER BY id DESC LIMIT 1`),
  );

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
    expect(rotated.out).toMatch(/[0-9a-f]{16} is the current key; [1-9]\d* values were re-encrypted\./);
    const now = await currentKey();
    expect(now).not.toBe(before);
    expect([...(await countSealed(server.db)).keys()]).toEqual([now]);
    expect(await lastAuditEntry()).toEqual({
      action: 'secret_key.rotated',
      target_id: now,
      actor_name: 'ada',
    });

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

  it('that was killed while sealing lost nothing, and is finished by the next', async () => {
    await call('POST', `/domains/${domainId}/dkim/rotate`);
    // Until its two keys have changed places, which the worker sees to by itself.
    const rotation = async () => (await call('GET', `/domains/${domainId}/verify`)).dkim_rotation.status;
    await expect.poll(rotation, WAIT).toBe('switched');
    const ring = ringOfFolder();
    await syncTurns(server.db, ring);
    await seedSecrets(server.db, ring, org.id, 250);
    const held = await secretsHeld(server.db, ring);
    expect(held.filter((kind) => kind.size === 0)).toEqual([]);
    await send('eve@example.org');
    const eve = await arrived('eve@example.org');
    const before = await currentKey();
    const key = addKeyToFolder(dataDir);
    await expect
      .poll(async () => (await liveHolders(server.db)).every(({ key_ids }) => key_ids.includes(key.id)), WAIT)
      .toBe(true);
    await giveTurn(server.db, key.id, 0);
    await rotateAndKillAt('wh_seed_125', key);

    const halfWay = await countSealed(server.db);
    expect(halfWay.get(key.id)).toBeGreaterThan(125);
    expect(halfWay.get(before)).toBeGreaterThan(125);
    expect(await secretsHeld(server.db, ringOfFolder())).toEqual(held);
    await send('between@example.org');
    expect((await arrived('between@example.org')).authentication.dkim.result).toBe('pass');
    const refused = await run(['secret', 'retire', before, '--yes']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('Values are still encrypted with this key'),
    });

    const rotated = await run(['secret', 'rotate']);
    expect(rotated.code).toBe(0);
    expect(rotated.out).toContain(`Continuing the rotation to ${key.id}.`);
    expect(await secretsHeld(server.db, new KeyRing([key]))).toEqual(held);
    expect([...(await countSealed(server.db)).keys()]).toEqual([key.id]);
    const link = /<([^>]+)>/.exec(headerOf(eve, 'List-Unsubscribe'))?.[1] as string;
    expect((await fetch(link)).status).toBe(200);
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
    expect(rotated.out).toContain(`Not changed: The DKIM key of ${domainId} does not open`);
    await server.db.exec(set, [domainId, row?.private_key]);
  });

  it("counts what was sealed before keys had ids apart, because it is no key's zero", async () => {
    const read = adHoc<{ private_key: Buffer }>('SELECT private_key FROM domains WHERE id = $1');
    const [row] = await server.db.many(read, [domainId]);
    const set = adHoc('UPDATE domains SET private_key = $2 WHERE id = $1');
    await server.db.exec(set, [domainId, Buffer.concat([Buffer.from([1]), Buffer.alloc(40, 7)])]);
    const shown = (await run(['secret'])).out;
    await server.db.exec(set, [domainId, row?.private_key]);
    expect(shown).toContain('Encrypted before keys had ids, until the next rotation: 1');
    expect((await run(['secret'])).out).not.toContain('before keys had ids');
  });

  it('leaves the old key until it is retired, and that must be meant', async () => {
    const { keys } = JSON.parse((await run(['secret', '--json'])).out);
    const [first] = keys;
    expect(first).toMatchObject({ state: 'old', known_here: true, sealed_values: 0 });
    expect((await run(['secret', 'retire', await currentKey(), '--yes'])).err).toContain(
      'is the current key',
    );
    expect((await run(['secret', 'retire', first.id])).err).toContain('stop working permanently');
    expect(await run(['secret', 'retire', first.id, '--yes'])).toMatchObject({ code: 0 });
    expect(await lastAuditEntry()).toMatchObject({ action: 'secret_key.retired', target_id: first.id });
    const left = JSON.parse((await run(['secret', '--json'])).out).keys;
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(first.id);
    const old = await arrived('before@example.org');
    const link = /<([^>]+)>/.exec(headerOf(old, 'List-Unsubscribe'))?.[1] as string;
    await expect.poll(async () => (await fetch(link)).status, WAIT).toBe(404);
  });
});

describe('an old key that is being retired', () => {
  it('is told from a new one when that was cut off, and goes when it is asked for again', async () => {
    const states = async () => JSON.parse((await run(['secret', '--json'])).out).keys;
    const { id } = (await states()).find((key: { state: string }) => key.state === 'old');
    await retireKey(server.db, id);
    expect(await states()).toContainEqual(
      expect.objectContaining({ id, state: 'retired', known_here: true, sealed_values: 0 }),
    );
    expect(await run(['secret', 'retire', id, '--yes'])).toMatchObject({ code: 0, err: '' });
    expect(await states()).not.toContainEqual(expect.objectContaining({ id }));
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
