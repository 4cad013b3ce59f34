/** `GET /events/changes`, which tells the dashboard when to load its data again. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { appendEvents, type EventType } from '../../src/events/append.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';

let server: TestApi;
let owner: Person;
let organizationId: string;
const readers: Reader[] = [];

beforeAll(async () => {
  server = await startApi();
  ({ id: organizationId } = await server.createOrganization());
  owner = await signUpOwner(server);
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});
afterAll(() => server.stop());

class Reader {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #messages: AsyncGenerator<readonly EventType[]>;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#messages = messagesOf(response.body as ReadableStream<Uint8Array>);
  }

  /** The types of the next message; undefined at the end of the stream. */
  async next(): Promise<readonly EventType[] | undefined> {
    return (await this.#messages.next()).value ?? undefined;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#messages.return(undefined).catch(() => undefined);
  }
}

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly EventType[], undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield JSON.parse(data).types;
    }
  }
  return undefined;
}

async function open(person = owner, headers: Record<string, string> = {}): Promise<Reader> {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/v1/events/changes`, {
    headers: { cookie: person.cookie ?? '', 'accept-encoding': 'br, gzip', ...headers },
    signal: abort.signal,
  });
  const reader = new Reader(response, abort);
  readers.push(reader);
  return reader;
}

async function happen(types: readonly EventType[], organization = organizationId, atMs = Date.now()) {
  const emailId = uuidv7(atMs);
  const event = { organizationId: organization, emailId, position: 0, recipient: 'ada@example.org', atMs };
  await server.db.transaction((tx) =>
    appendEvents(
      tx,
      types.map((type) => ({ ...event, type })),
    ),
  );
}

/** A person in an organization of their own, where nothing has happened yet. */
async function newcomer(): Promise<{ person: Person; id: string }> {
  const person = new Person(server, owner.email);
  await person.signIn();
  const { body } = await person.api('POST', '/organizations', { name: 'Quiet' });
  const { id } = body.data;
  await person.api('POST', '/auth/organization', { organization_id: id });
  return { person, id };
}

describe('following changes', () => {
  it('begins at once, uncompressed and for nobody to store', async () => {
    const { person } = await newcomer();
    const reader = await open(person);
    expect(await reader.next()).toEqual([]);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.response.headers.get('cache-control')).toBe('no-store');
    expect(reader.response.headers.get('content-encoding')).toBeNull();
  });

  it('brings the types of what happens, and none of what others do', async () => {
    const { person, id } = await newcomer();
    const reader = await open(person);
    expect(await reader.next()).toEqual([]);
    await happen(['bounced']);
    await happen(['processing', 'queued', 'queued'], id);
    expect(await reader.next()).toEqual(['processing', 'queued']);
    await happen(['delivered'], id);
    expect(await reader.next()).toEqual(['delivered']);
  });

  it('finds an event that became visible after a later one', async () => {
    const { person, id } = await newcomer();
    const reader = await open(person);
    expect(await reader.next()).toEqual([]);
    const beforeMs = Date.now() - 5_000;
    await happen(['delivered'], id);
    expect(await reader.next()).toEqual(['delivered']);
    await happen(['delivered'], id, beforeMs);
    expect(await reader.next()).toEqual(['delivered']);
  });

  it('begins with the types of the last seconds, for a reader that loaded its data before', async () => {
    const { person, id } = await newcomer();
    await happen(['bounced', 'opened'], id);
    expect(await (await open(person)).next()).toEqual(['bounced', 'opened']);
    expect(await (await open(person)).next()).toEqual(['bounced', 'opened']);
  });

  it('takes a short message for thousands of events', async () => {
    const { person, id } = await newcomer();
    const reader = await open(person);
    expect(await reader.next()).toEqual([]);
    await happen(
      Array.from({ length: 3_000 }, () => 'deferred' as const),
      id,
    );
    expect(await reader.next()).toEqual(['deferred']);
    await happen(['delivered'], id);
    expect(await reader.next()).toEqual(['delivered']);
  });
});

describe('a stream of changes ends', () => {
  it('when the session ends', async () => {
    const { person } = await newcomer();
    const reader = await open(person);
    expect(await reader.next()).toEqual([]);
    await person.api('POST', '/auth/sign-out');
    expect(await reader.next()).toBeUndefined();
  });

  it('when the session switches to another organization', async () => {
    const { person, id } = await newcomer();
    const reader = await open(person, { 'postrider-organization': id });
    expect(await reader.next()).toEqual([]);
    await person.api('POST', '/auth/organization', { organization_id: organizationId });
    expect(await reader.next()).toBeUndefined();
    expect((await open(person, { 'postrider-organization': id })).response.status).toBe(409);
  });

  it('when the server stops', async () => {
    const own = await startApi({ database: server.database });
    const abort = new AbortController();
    const response = await fetch(`${own.url}/api/v1/events/changes`, {
      headers: { cookie: owner.cookie ?? '' },
      signal: abort.signal,
    });
    const reader = new Reader(response, abort);
    await reader.next();
    await own.stop();
    expect(await reader.next()).toBeUndefined();
  });
});

it('is refused beyond fifty streams of an organization, which leaves others theirs', async () => {
  const { person } = await newcomer();
  const open50 = await Promise.all(Array.from({ length: 50 }, () => open(person)));
  await Promise.all(open50.map((reader) => reader.next()));
  const refused = await open(person);
  expect(refused.response.status).toBe(429);
  expect(refused.response.headers.get('retry-after')).toBe('10');
  const other = await open((await newcomer()).person);
  expect(other.response.status).toBe(200);
  await open50[0]?.close();
  await expect.poll(async () => (await open(person)).response.status).toBe(200);
});

it('is not for API keys', async () => {
  const { key } = await server.createOrganization('Third');
  expect((await server.api('GET', '/events/changes', undefined, key)).status).toBe(403);
});
