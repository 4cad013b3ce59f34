/** `GET /events/stream`, and `npx postrider events`, which reads it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { appendEvents, type EventType } from '../../src/events/append.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
const readers: Reader[] = [];

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  other = await server.createOrganization('Other');
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => server.stop());

interface Message {
  readonly id: string;
  readonly type: string;
  readonly recipient: string;
}

class Reader {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #messages: AsyncGenerator<Message>;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#messages = messagesOf(response.body as ReadableStream<Uint8Array>);
  }

  async next(count: number): Promise<Message[]> {
    const found: Message[] = [];
    while (found.length < count) {
      const { done, value } = await this.#messages.next();
      if (done) break;
      found.push(value);
    }
    return found;
  }

  close(): void {
    this.#abort.abort();
  }
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data === undefined) continue;
      const message = JSON.parse(data) as Message;
      expect(/^id: (.*)$/m.exec(part)?.[1]).toBe(message.id);
      yield message;
    }
  }
}

async function open(query = '', headers: Record<string, string> = {}, key = org.key): Promise<Reader> {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  const reader = new Reader(response, abort);
  readers.push(reader);
  return reader;
}

async function happen(types: readonly EventType[], organization = org, recipient = 'ada@example.org') {
  const atMs = Date.now();
  const emailId = uuidv7(atMs);
  const events = types.map((type) => ({
    organizationId: organization.id,
    emailId,
    position: 0,
    recipient,
    type,
    atMs,
  }));
  await server.db.transaction((tx) => appendEvents(tx, events));
}

const typesOf = (messages: readonly Message[]) => messages.map(({ type }) => type);

describe('following events', () => {
  it('brings what happens from then on, and none of what others do', async () => {
    await happen(['queued']);
    const reader = await open();
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.response.headers.get('cache-control')).toBe('no-store');
    await happen(['bounced'], other);
    await happen(['processing', 'delivered']);
    expect(typesOf(await reader.next(2))).toEqual(['processing', 'delivered']);
  });

  it('ends soon after its key is revoked', async () => {
    const made = await server.api('POST', '/api-keys', { name: 'Short', scope: 'read' }, org.key);
    const reader = await open('', {}, made.body.data.key);
    await happen(['queued']);
    expect(await reader.next(1)).toHaveLength(1);
    await server.api('DELETE', `/api-keys/${made.body.data.id}`, undefined, org.key);
    expect(await reader.next(1)).toEqual([]);
  });

  it('brings only what was asked for', async () => {
    const reader = await open('?type=bounced&recipient=Grace@example.org');
    await happen(['delivered', 'bounced']);
    await happen(['delivered', 'bounced'], org, 'grace@example.org');
    expect(await reader.next(1)).toMatchObject([{ type: 'bounced', recipient: 'grace@example.org' }]);
  });

  it('goes on where a reader was cut off', async () => {
    const first = await open();
    await happen(['queued']);
    const [seen] = await first.next(1);
    first.close();
    await happen(['deferred'], org, 'cut@example.org');
    const second = await open('?recipient=cut@example.org', { 'last-event-id': seen?.id ?? '' });
    await happen(['delivered'], org, 'cut@example.org');
    expect(typesOf(await second.next(2))).toEqual(['deferred', 'delivered']);
  });

  it('catches up with more than one look brings, also when none of it was asked for', async () => {
    const third = await server.createOrganization('Third');
    await happen(['queued'], third);
    const [first] = (await server.api('GET', '/events', undefined, third.key)).body.data;
    for (let i = 0; i < 5; i += 1) {
      await happen(
        Array.from({ length: 500 }, () => 'deferred' as const),
        third,
      );
    }
    await happen(['bounced'], third);
    const reader = await open('?type=bounced', { 'last-event-id': first.id }, third.key);
    expect(typesOf(await reader.next(1))).toEqual(['bounced']);
  });

  it('brings each event once, whatever the order in which they become visible', async () => {
    const reader = await open('?recipient=late@example.org');
    const atMs = Date.now();
    const late = server.db.transaction(async (tx) => {
      await appendEvents(tx, [
        {
          organizationId: org.id,
          emailId: uuidv7(atMs),
          position: 0,
          recipient: 'late@example.org',
          type: 'deferred',
          atMs,
        },
      ]);
      await happen(['delivered'], org, 'late@example.org');
      expect(typesOf(await reader.next(1))).toEqual(['delivered']);
    });
    await late;
    await happen(['bounced'], org, 'late@example.org');
    expect(typesOf(await reader.next(2))).toEqual(['deferred', 'bounced']);
  });

  it.each([
    ['a filter it does not know', '?types=bounced', {}, 400, 'VALIDATION_ERROR'],
    ['an id that is none', '', { 'last-event-id': 'evt_x' }, 400, 'VALIDATION_ERROR'],
    ['a key that is none', '', { authorization: 'Bearer no' }, 401, 'UNAUTHORIZED'],
  ])('is refused with %s', async (_, query, headers, status, code) => {
    const { response } = await open(query, headers as Record<string, string>);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe(code);
  });

  it('is refused when too many follow already', async () => {
    for (let i = 0; i < 50; i += 1) expect((await open('', {}, other.key)).response.status).toBe(200);
    expect((await open('', {}, other.key)).response.status).toBe(429);
    expect((await open()).response.status).toBe(200);
  });

  it('ends when the server stops', async () => {
    const own = await startApi();
    const { key } = await own.createOrganization();
    const response = await fetch(`${own.url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const ended = response.text();
    await own.stop();
    expect(await ended).toMatch(/^retry: \d+\n\n$/);
  });
});

describe('HEAD', () => {
  it('answers with the headers of a stream, and is over', async () => {
    const response = await fetch(`${server.url}/api/v1/events/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${org.key}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe('');
  });
});
