/** The clock, the disk, the keys and the certificates of this machine, with servers on loopback and files of its own. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificate, selfSigned } from '../../src/certificates/self-signed.ts';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { certificateCheck } from '../../src/doctor/host/certificate.ts';
import { httpsCheck } from '../../src/doctor/host/https.ts';
import { clockCheck, databaseClockCheck } from '../../src/doctor/machine/clock.ts';
import { databaseCheck } from '../../src/doctor/machine/database.ts';
import { diskCheck, durableWritesCheck } from '../../src/doctor/machine/disk.ts';
import { queueCheck } from '../../src/doctor/machine/queue.ts';
import { noteKeyCopy, secretKeyCheck } from '../../src/doctor/machine/secret-key.ts';
import { register } from '../../src/outbox/lease.ts';
import { databaseProblems } from '../../src/processes/going-live.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { addKeyToFolder, loadKeyRing } from '../../src/runtime/key-store.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startInbound } from '../support/inbound.ts';
import { type DoctorRoom, HOST, openDoctorRoom, summaryOf } from './doctor-context.ts';

const DAY = 86_400_000;

let room: DoctorRoom;
let folder: string;
beforeAll(async () => {
  room = await openDoctorRoom();
  folder = mkdtempSync(join(tmpdir(), 'postrider-doctor-'));
});
afterAll(async () => {
  await room.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => room.zone.replaceZone({}));

describe('the clock', () => {
  type Spoil = (packet: Buffer) => void;

  /** Answers as a time server does whose clock is `aheadMs` ahead of ours. */
  async function askServer(aheadMs: number, spoil: Spoil = () => {}) {
    const server = createSocket('udp4');
    server.on('message', (asked, from) => {
      const packet = Buffer.alloc(48);
      packet[0] = 0b00_100_100;
      packet[1] = 2;
      asked.copy(packet, 24, 40, 48);
      const seconds = (Date.now() + aheadMs) / 1_000 + 2_208_988_800;
      for (const at of [32, 40]) {
        packet.writeUInt32BE(Math.floor(seconds), at);
        packet.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4);
      }
      spoil(packet);
      server.send(packet, from.port, from.address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    room.zone.set('time.example', { A: ['127.0.0.1'] });
    try {
      const outside = { timeServers: ['time.example'], timePort: server.address().port, timeoutMs: 400 };
      return await room.find(clockCheck, { outside });
    } finally {
      server.close();
    }
  }

  it('is right', async () => {
    expect(summaryOf(await askServer(0))).toEqual([
      expect.stringMatching(/^ok: The clock is right, to [0-4]\.\d\d s\.$/),
    ]);
  });

  it.each([
    [60_000, 'warn', 'is 60 s slow'],
    [-60_000, 'warn', 'is 60 s fast'],
    [3_600_000, 'bad', 'is 60 minutes slow'],
  ])('is off by %i ms', async (aheadMs, level, words) => {
    const [found] = await askServer(aheadMs);
    expect(found).toMatchObject({ level, fix: expect.stringContaining('timedatectl set-ntp true') });
    expect(found?.seen).toContain(words);
  });

  it.each<[string, Spoil]>([
    ['to a question that was not asked', (packet) => packet.fill(0, 24, 32)],
    ['and asks to be left alone', (packet) => packet.fill(0, 1, 2)],
    ['without knowing the time itself', (packet) => packet.fill(0b11_100_100, 0, 1)],
  ])('is not judged by who answers %s', async (_what, spoil) => {
    expect((await askServer(0, spoil))[0]?.level).toBe('unknown');
  });

  it('is not judged where nobody answers', async () => {
    const [found] = await room.find(clockCheck, { outside: { timeServers: ['nowhere.example'] } });
    expect(found).toMatchObject({ level: 'unknown', seen: expect.stringContaining('nowhere.example') });
  });
});

describe('the disk', () => {
  it('has room, and inodes', async () => {
    const [found] = await room.find(diskCheck, { context: { folders: [folder] } });
    expect(found?.seen).toMatch(/^[\d.]+ of [\d.]+ GB \(\d+%\).* are free under /);
    expect(found?.level).not.toBe('unknown');
  });

  it('does not exist before the first start', async () => {
    const folders = [join(folder, 'later')];
    expect(summaryOf(await room.find(diskCheck, { context: { folders } }))).toEqual([
      `unknown: The data folder ${folders[0]} does not exist yet.`,
    ]);
  });

  it('is written to, and nothing is left behind', async () => {
    const [found] = await room.find(durableWritesCheck, { env: { POSTRIDER_DATA_DIR: folder } });
    expect(found?.level).not.toBe('unknown');
    expect(readdirSync(folder).filter((name) => name.startsWith('doctor-'))).toEqual([]);
  });

  it('cannot be judged where nothing can be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const [found] = await room.find(durableWritesCheck, { env: { POSTRIDER_DATA_DIR: file } });
    expect(found).toMatchObject({
      level: 'unknown',
      seen: expect.stringContaining('Nothing could be written'),
    });
  });
});

describe('the secret key', () => {
  const find = () => room.find(secretKeyCheck, { env: { POSTRIDER_DATA_DIR: folder } });
  const file = () => join(folder, 'secret-key');

  it('is not there before the first start, and looking for it makes none', async () => {
    expect((await find())[0]?.level).toBe('unknown');
    expect(readdirSync(folder)).not.toContain('secret-key');
  });

  it('is known to be kept elsewhere once the copy was shown, until there is a new one', async () => {
    const config = room.config({ POSTRIDER_DATA_DIR: folder });
    loadKeyRing(config);
    expect(await find()).toEqual([
      expect.objectContaining({ level: 'warn', fix: expect.stringContaining(`Copy ${file()}`) }),
    ]);
    expect(await noteKeyCopy(config, 'x'.repeat(43))).toHaveLength(1);
    expect((await find())[0]?.level).toBe('warn');
    expect(await noteKeyCopy(config, readFileSync(file(), 'utf8'))).toEqual([]);
    expect((await find())[0]?.level).toBe('ok');
    expect(readFileSync(join(folder, 'secret-key-copied'), 'utf8')).not.toContain(
      readFileSync(file(), 'utf8').trim(),
    );
    addKeyToFolder(folder);
    expect((await find())[0]?.seen).toContain('which is newer than the copy');
  });

  it('must not be readable by others', async () => {
    chmodSync(file(), 0o644);
    expect((await find())[0]).toMatchObject({ level: 'bad', fix: `chmod 600 ${file()}` });
  });

  it('cannot be seen to be kept elsewhere when it comes from the environment', async () => {
    const env = { POSTRIDER_DATA_DIR: folder, POSTRIDER_SECRET_KEY: 'e'.repeat(40) };
    expect((await room.find(secretKeyCheck, { env }))[0]).toMatchObject({
      level: 'unknown',
      fix: expect.stringContaining('npx postrider doctor --key-copy FILE'),
    });
  });
});

describe('the certificate for SMTP', () => {
  function files({ cert, key }: Certificate): Record<string, string> {
    const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(paths.cert, cert);
    writeFileSync(paths.key, key);
    return { POSTRIDER_INBOUND_TLS_CERT: paths.cert, POSTRIDER_INBOUND_TLS_KEY: paths.key };
  }
  const find = (made: Certificate) => room.find(certificateCheck, { env: files(made) });
  const TEN_YEARS = 3_650 * DAY;

  it('is valid', async () => {
    expect(summaryOf(await find(selfSigned(HOST, Date.now())))).toEqual([
      expect.stringMatching(/^ok: .* valid for 3,6\d\d more days/),
    ]);
  });

  it.each([
    ['expires soon', TEN_YEARS - 3.5 * DAY, 'warn', 'expires in 3 days'],
    ['has expired', TEN_YEARS + 2.5 * DAY, 'bad', 'expired 2 days ago'],
  ])('%s', async (_what, agoMs, level, words) => {
    const [found] = await find(selfSigned(HOST, Date.now() - agoMs));
    expect(found?.level).toBe(level);
    expect(found?.seen).toContain(words);
  });

  it('is of another host, or of another key', async () => {
    const [other] = await find(selfSigned('other.example', Date.now()));
    expect(other).toMatchObject({
      level: 'warn',
      fix: expect.stringContaining(`certbot certonly -d ${HOST}`),
    });
    const [pair] = await find({ ...selfSigned(HOST, Date.now()), key: selfSigned(HOST, Date.now()).key });
    expect(pair).toMatchObject({ level: 'bad', seen: expect.stringContaining('The key does not belong') });
  });

  it('was renewed, and the one before is still served', async () => {
    const [before, renewed] = [selfSigned(HOST, Date.now() - TEN_YEARS), selfSigned(HOST, Date.now())];
    const server = createServer(before).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = {
      ...files(renewed),
      POSTRIDER_SUBMISSION_HOST: '127.0.0.1',
      POSTRIDER_SUBMISSION_TLS_PORT: String((server.address() as AddressInfo).port),
    };
    const find = () => room.find(certificateCheck, { env });
    expect(await find()).toEqual([
      expect.objectContaining({ level: 'bad', fix: expect.stringContaining('systemctl reload postrider') }),
    ]);
    server.setSecureContext(renewed);
    expect((await find()).map(({ level }) => level)).toEqual(['ok']);
    server.close();
  });

  it('is our own where none is configured, and unknown where it cannot be read', async () => {
    expect((await room.find(certificateCheck))[0]?.level).toBe('ok');
    const env = { POSTRIDER_INBOUND_TLS_CERT: '/no/cert', POSTRIDER_INBOUND_TLS_KEY: '/no/key' };
    expect((await room.find(certificateCheck, { env }))[0]?.level).toBe('unknown');
  });
});

describe('the public address', () => {
  /** A proxy that answers so. */
  async function ask(status: number, body = '{}', made = selfSigned(HOST, Date.now()), trusted = made.cert) {
    const server = createServer(made, (_request, response) => response.writeHead(status).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    room.zone.set(HOST, { A: ['127.0.0.1'] });
    const url = `https://${HOST}:${(server.address() as AddressInfo).port}`;
    try {
      const outside = { trustedCertificates: trusted, timeoutMs: 5_000 };
      return await room.find(httpsCheck, { env: { POSTRIDER_PUBLIC_URL: url }, outside });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('answers with a valid certificate', async () => {
    expect(summaryOf(await ask(200))).toEqual([
      expect.stringMatching(/^ok: The certificate of https:\/\/mail\.host\.example/),
    ]);
  });

  it('has a certificate that nobody trusts, or that has expired', async () => {
    const other = selfSigned('other.example', Date.now());
    expect(summaryOf(await ask(200, '{}', selfSigned(HOST, Date.now()), other.cert))).toEqual([
      expect.stringMatching(/^bad: The certificate of .* is self-signed/),
    ]);
    expect(summaryOf(await ask(200, '{}', other))).toEqual([
      expect.stringMatching(/^bad: .* is made out to another name/),
    ]);
    const old = selfSigned(HOST, Date.now() - 3_660 * DAY);
    expect(summaryOf(await ask(200, '{}', old))).toEqual([
      expect.stringMatching(/^bad: The certificate of .* expired 10 days ago/),
    ]);
  });

  it('is a proxy that does not reach us, or that hides what it is asked for', async () => {
    expect((await ask(502))[1]).toMatchObject({
      level: 'bad',
      seen: expect.stringContaining('answers with 502'),
    });
    const refused = JSON.stringify({ error: { code: 'HOST_NOT_ALLOWED' } });
    expect((await ask(403, refused))[1]?.fix).toContain('proxy_set_header Host $host;');
  });

  it('is not judged where it cannot be reached from here, nor where it has no address', async () => {
    room.zone.set(HOST, { A: ['127.0.0.1'] });
    const env = { POSTRIDER_PUBLIC_URL: `https://${HOST}:1` };
    expect((await room.find(httpsCheck, { env }))[0]?.level).toBe('unknown');
    room.zone.replaceZone({});
    expect((await room.find(httpsCheck, { env }))[0]?.seen).toContain('has no address in DNS');
    const plain = { POSTRIDER_PUBLIC_URL: 'http://localhost:3000' };
    expect((await room.find(httpsCheck, { env: plain }))[0]?.level).toBe('unknown');
  });
});

describe('the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is asked for its version and its settings', async () => {
    const [found] = await room.find(databaseCheck, { context: { db: database.db } });
    expect(JSON.stringify(found)).toMatch(/PostgreSQL/);
    expect(found?.level).not.toBe('unknown');
  });

  it('is said to be dangerous by a live start, and by no other', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.db.exec(adHoc(`ALTER DATABASE "${name}" SET synchronous_commit = off`));
    const db = new Database({ url: database.url, log: createLog('test', 'silent'), applicationName: 'test' });
    try {
      expect(await databaseProblems({ config: room.config(), db })).toContainEqual(
        expect.stringMatching(/^Problem: PostgreSQL runs with synchronous_commit = off\. .*ALTER SYSTEM SET/),
      );
      expect(await databaseProblems({ config: room.config({ POSTRIDER_MODE: 'sandbox' }), db })).toEqual([]);
    } finally {
      await db.close();
    }
  });

  it('is asked for its clock, too', async () => {
    const clock = { nowMs: () => systemClock.nowMs() + 60_000 };
    const [found] = await room.find(databaseClockCheck, { context: { db: database.db, clock } });
    expect(found).toMatchObject({ level: 'warn', seen: expect.stringContaining('60 s apart') });
  });

  it('is not asked where there is none', async () => {
    expect(summaryOf(await room.find(databaseCheck))).toEqual([
      'unknown: The database was not checked: there is none.',
    ]);
  });

  it('knows whether mail moves and who receives bounces', async () => {
    const find = () => room.find(queueCheck, { context: { db: database.db } });
    expect((await find()).map(({ level, seen }) => [level, seen])).toEqual([
      ['bad', '0 workers running; 0 deliveries due.'],
      ['bad', 'No process receives bounces.'],
    ]);
    await register(database.db, { host: 'h', machine: 'm', pid: 1 });
    const inbound = await startInbound(database);
    try {
      expect(summaryOf(await find())).toEqual(['ok: 1 worker running; 0 deliveries due.']);
    } finally {
      await inbound.stop();
    }
  });
});
