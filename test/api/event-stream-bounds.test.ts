/** The buffer of an event stream is bounded. A disconnected reader can resume at its position. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendEvents, type EventType } from '../../src/events/append.ts';
import { LiveStream, type StreamLimits } from '../../src/events/live-stream.ts';
import { eventId, parseEventId } from '../../src/events/read.ts';
import { readStream } from '../../src/events/stream.ts';
import { EventTail } from '../../src/events/tail.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let tail: EventTail;
let server: Server;
let organizationId: string;
let limits: Partial<StreamLimits>;
let type: EventType | null;
/** Resolves with the other end of the next stream. */
let opened: (response: ServerResponse) => void;

beforeAll(async () => {
  database = await createTestDatabase();
  tail = new EventTail({ db: database.db, log: createLog('test', 'silent'), nowMs: Date.now });
  server = createServer((asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    opened?.(response);
    const afterId = parseEventId(String(asked.headers['last-event-id'] ?? ''));
    const wants = (event: { type: EventType }) => type === null || event.type === type;
    void new LiveStream({
      tail,
      organizationId,
      afterId,
      wants,
      isAdmitted: async () => true,
      response,
      limits,
    }).start();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  organizationId = newId('org');
  limits = {};
  type = null;
  opened = () => {};
});
afterEach(() => server.closeAllConnections());
afterAll(async () => {
  server.close();
  await database.drop();
});

/** Large enough that a few thousand of them exceed the kernel's buffers. */
const WORDS = 'x'.repeat(2_000);

async function happen(count: number, what: EventType = 'deferred', words: string | null = null) {
  const atMs = Date.now();
  const emailId = uuidv7(atMs);
  const event = { organizationId, emailId, position: 0, recipient: 'ada@example.org', smtpMessage: words };
  const events = Array.from({ length: count }, () => ({ ...event, type: what, atMs }));
  await database.db.transaction((tx) => appendEvents(tx, events));
}

/** All ids, the oldest first. */
async function ids(): Promise<string[]> {
  const filter = { beforeId: null, type: null, fromMs: null, toMs: null, limit: 100_000 };
  const rows = await readStream(database.db, organizationId, filter);
  return rows.map(({ id }) => eventId(id)).reverse();
}

async function open(lastId?: string): Promise<{ reader: IncomingMessage; response: ServerResponse }> {
  const response = new Promise<ServerResponse>((resolve) => {
    opened = resolve;
  });
  const call = request({
    port: (server.address() as AddressInfo).port,
    headers: lastId === undefined ? {} : { 'last-event-id': lastId },
  }).end();
  const [reader] = (await once(call, 'response')) as [IncomingMessage];
  reader.on('error', () => {});
  return { reader, response: await response };
}

/** Reads until the stream ends or an event is told; gives the ids of events, and the last id of any kind. */
async function read(
  reader: IncomingMessage,
  until?: string,
): Promise<{ eventIds: string[]; lastId?: string }> {
  const eventIds: string[] = [];
  let lastId: string | undefined;
  let text = '';
  for await (const chunk of reader.setEncoding('utf8')) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
      if (/^data: /m.test(block)) eventIds.push(lastId ?? '');
    }
    if (until !== undefined && eventIds.includes(until)) break;
  }
  return lastId === undefined ? { eventIds } : { eventIds, lastId };
}

describe('a reader that does not read', () => {
  it('is cut off, and little is held for it until then', async () => {
    limits = { unreadBytes: 100_000 };
    const { reader, response } = await open();
    reader.pause();
    const closed = once(response, 'close');
    const write = response.write.bind(response);
    let most = 0;
    response.write = ((text: string) => {
      const taken = write(text);
      most = Math.max(most, response.writableLength);
      return taken;
    }) as typeof response.write;
    await once(reader, 'readable');
    for (let i = 0; i < 8; i += 1) await happen(1_000, 'deferred', WORDS);
    await closed;
    expect(most).toBeGreaterThan(100_000);
    expect(most).toBeLessThan(100_000 + 1_000 * 3_000);
  });

  it('is cut off while it catches up, too', async () => {
    limits = { stallMs: 300 };
    await happen(1);
    for (let i = 0; i < 4; i += 1) await happen(2_000, 'deferred', WORDS);
    const { reader, response } = await open((await ids())[0]);
    reader.pause();
    await once(response, 'close');
    expect(response.writableLength).toBeLessThan(600_000);
  });

  it('misses nothing of what happens meanwhile, though it is not kept, when it goes on', async () => {
    limits = { waiting: 10 };
    await happen(1);
    for (let i = 0; i < 4; i += 1) await happen(1_500, 'deferred', WORDS);
    const [first, ...rest] = await ids();
    const { reader, response } = await open(first);
    reader.pause();
    await expect.poll(() => response.writableNeedDrain).toBe(true);
    await happen(50, 'bounced');
    // Until the tail has handed them on, to one that cannot take them.
    const firstChunk = new Promise<void>((resolve) => {
      void tail.follow(organizationId, (events) => events.at(-1)?.type === 'opened' && resolve());
    });
    await happen(50, 'opened');
    await firstChunk;
    const all = await ids();
    const { eventIds } = await read(reader, all.at(-1));
    expect(rest.length).toBeLessThan(eventIds.length);
    expect(eventIds.toSorted()).toEqual(all.slice(1));
  });
});

describe('catching up', () => {
  it('ends after so many events, and goes on from there', async () => {
    limits = { caughtUp: 1_000 };
    await happen(3_500);
    const all = await ids();
    let lastId = all[0];
    const eventIds = new Set<string>();
    const counts: number[] = [];
    while (eventIds.size < all.length - 1) {
      const { reader } = await open(lastId);
      const part = await read(reader, all.at(-1));
      counts.push(part.eventIds.filter((id) => !eventIds.has(id) && id !== all[0]).length);
      for (const id of part.eventIds) eventIds.add(id);
      lastId = part.lastId;
    }
    expect(counts.length).toBeGreaterThan(2);
    expect([...eventIds].toSorted()).toEqual(all.toSorted());
  });

  it('tells how far it came where nothing was asked for', async () => {
    limits = { caughtUp: 1_000 };
    type = 'bounced';
    await happen(2_500);
    await happen(1, 'bounced');
    const all = await ids();
    let lastId = all[0];
    for (let connections = 1; ; connections += 1) {
      const { reader } = await open(lastId);
      const part = await read(reader, all.at(-1));
      if (part.eventIds.length > 0) {
        expect(part.eventIds).toEqual([all.at(-1)]);
        expect(connections).toBeGreaterThan(1);
        break;
      }
      expect((part.lastId ?? '') > (lastId ?? '')).toBe(true);
      lastId = part.lastId;
    }
  });
});
