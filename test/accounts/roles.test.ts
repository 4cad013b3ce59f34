/**
 * What each role may do, on every route there is. The routes are read from the API's own description, so a new one is
 * judged by the rules here without anybody having to think of it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { join, type Person, signUpOwner } from './people.ts';

interface Operation {
  readonly 'x-access'?: 'self' | 'owner' | 'operator';
  readonly security?: readonly object[];
}

interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

let server: TestApi;
let routes: Route[];
let key: string;
let domain: string;
const people = {} as Record<'owner' | 'member' | 'read_only', Person>;

beforeAll(async () => {
  server = await startApi();
  const organization = await server.createOrganization();
  key = organization.key;
  domain = organization.domain;
  people.owner = await signUpOwner(server);
  people.member = await join(server, people.owner, 'member@example.org', 'member');
  people.read_only = await join(server, people.owner, 'reader@example.org', 'read_only');
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      // Nobody's: whoever may call it is told so, or that the body is missing; never that it is forbidden.
      path: path.replaceAll(/\{\w+\}/g, 'nothing'),
    })),
  );
});
afterAll(() => server.stop());

/** These end the session that calls them, or never end. */
const LEFT_OUT = new Set([
  'POST /auth/sign-out',
  'POST /auth/sign-out-everywhere',
  'GET /events/stream',
  'GET /events/changes',
]);

const isPublic = ({ security }: Route) => security?.length === 0;
const isRead = ({ method }: Route) => method === 'GET';

function tested(): Route[] {
  return routes.filter((route) => !isPublic(route) && !LEFT_OUT.has(`${route.method} ${route.path}`));
}

/** Which routes somebody is kept out of. What is wrong with the request otherwise does not matter. */
async function forbidden(call: (route: Route) => Promise<{ status: number }>): Promise<string[]> {
  const refused: string[] = [];
  for (const route of tested()) {
    const { status } = await call(route);
    expect([route.method, route.path, status]).not.toContain(401);
    expect([route.method, route.path, status < 500 ? 'answered' : status]).toContain('answered');
    if (status === 403) refused.push(`${route.method} ${route.path}`);
  }
  return refused.sort();
}

const named = (of: Route[]) => of.map((route) => `${route.method} ${route.path}`).sort();

/** They have a body and are no less questions for it. */
const CHANGE_NOTHING = [
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /templates/nothing/preview',
  'POST /templates/check',
  'POST /templates/validate',
  'POST /undos/preview',
];

/** Everybody keeps views of their own; sharing is refused by the service (test/api/views.test.ts). */
const OF_ONESELF = ['DELETE /views/nothing', 'PATCH /views/nothing', 'POST /views'];

const isOfOwners = ({ 'x-access': access }: Route) => access === 'owner' || access === 'operator';

/** A body that no route takes, so that nothing is changed by being allowed to. */
const NONSENSE = { nonsense: true };

const as = (person: Person) => (route: Route) =>
  person.api(route.method, route.path, isRead(route) ? undefined : NONSENSE);
const withKey = (secret: string) => (route: Route) =>
  server.api(route.method, route.path, isRead(route) ? undefined : NONSENSE, secret);

describe('every route', () => {
  it('is there to be tested', () => {
    expect(routes.length).toBeGreaterThan(70);
    expect(named(routes)).toEqual(
      expect.arrayContaining(['GET /members', 'POST /emails/send', 'GET /emails']),
    );
  });

  it('is closed to people who are not signed in, but for the few that let them in', async () => {
    for (const route of tested()) {
      const answer = await server.api(route.method, route.path, isRead(route) ? undefined : NONSENSE);
      expect([route.method, route.path, answer.status]).toEqual([route.method, route.path, 401]);
    }
    expect(named(routes.filter(isPublic))).toEqual([
      'GET /auth/state',
      'GET /invites/nothing',
      'POST /auth/password-reset',
      'POST /auth/password-reset/confirm',
      'POST /auth/sign-in',
      'POST /auth/sign-out',
      'POST /auth/sign-up',
      'POST /invites/nothing/accept',
    ]);
  });

  it('is open to owners', async () => {
    expect(await forbidden(as(people.owner))).toEqual([]);
  });

  it('is open to members, but for those of owners', async () => {
    const owners = tested().filter(isOfOwners);
    expect(await forbidden(as(people.member))).toEqual(named(owners));
    expect(named(owners)).toEqual([
      'DELETE /members/invites/nothing',
      'DELETE /members/nothing',
      'GET /audit-log',
      'GET /doctor',
      'GET /members',
      'GET /members/invites',
      'GET /members/nothing/made',
      'GET /routes',
      'GET /routes/canaries',
      'GET /routes/explain',
      'GET /routes/warm-up',
      'PATCH /members/nothing',
      'PATCH /organization',
      'POST /doctor',
      'POST /members/invites',
      'POST /organizations',
      'POST /recipients/erase',
      'POST /recipients/export',
      'POST /routes/canaries/nothing/back',
      'POST /routes/canaries/nothing/finish',
      'POST /routes/canaries/nothing/pause',
      'POST /routes/canaries/nothing/resume',
      'POST /sites/nothing/pause',
      'POST /sites/nothing/resume',
      'POST /sites/nothing/try-now',
      'PUT /routes',
    ]);
  });

  it('is for reading only to those who may only read, but for what is about themselves', async () => {
    const kept = tested().filter(
      (route) => isOfOwners(route) || (!isRead(route) && route['x-access'] !== 'self'),
    );
    const refused = named(kept).filter((name) => ![...CHANGE_NOTHING, ...OF_ONESELF].includes(name));
    expect(await forbidden(as(people.read_only))).toEqual(refused);
    expect(named(kept)).toEqual(expect.arrayContaining([...CHANGE_NOTHING, ...OF_ONESELF]));
  });

  it('is open to full keys, but for those of people', async () => {
    const kept = tested().filter((route) => route['x-access'] !== undefined);
    expect(await forbidden(withKey(key))).toEqual(named(kept));
  });
});

describe('mail that a person sends', () => {
  it('belongs to no key', async () => {
    const letter = {
      from: { email: `a@${domain}` },
      to: [{ email: 'ada@example.org' }],
      subject: 'Hello',
      text: 'Hello',
    };
    const { body } = await people.member.api('POST', '/emails/send', letter);
    const email = await people.member.api('GET', `/emails/${body.data.message_id}`);
    expect(email.body.data.api_key_id).toBeNull();
  });
});

describe('the DKIM key of a domain', () => {
  it('is changed by members, not by those who may only read, and the log says by whom', async () => {
    const { owner, member, read_only: reader } = people;
    const { id } = (await member.api('POST', '/domains', { domain: 'turning.example' })).body.data;
    const path = `/domains/${id}/dkim/rotate`;
    for (const method of ['POST', 'DELETE']) expect((await reader.api(method, path)).status).toBe(403);
    const started = await member.api('POST', path);
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    const rotation = started.body.data.dkim_rotation;
    expect(rotation).toMatchObject({ status: 'waiting_for_dns', dns_record: { type: 'TXT' } });
    expect((await reader.api('GET', `/domains/${id}`)).body.data.dkim_rotation).toEqual(rotation);
    expect((await member.api('POST', path)).body.error.code).toBe('CONFLICT');
    const off = await server.api('DELETE', path, undefined, key);
    expect(off.body.data.dkim_rotation).toBeNull();
    expect((await server.api('DELETE', path, undefined, key)).body.error.code).toBe('CONFLICT');
    const { data } = (await owner.api('GET', '/audit-log?limit=100')).body;
    const entries = data.filter(({ action }: { action: string }) => action.startsWith('domain.dkim'));
    expect(entries).toMatchObject([
      { action: 'domain.dkim_rotation_cancelled', actor: { type: 'api_key' }, target: { id } },
      {
        action: 'domain.dkim_rotation_started',
        actor: { type: 'user', name: 'member@example.org' },
        target: { id },
      },
    ]);
  });
});

describe('a change of role', () => {
  it('holds at once, also for sessions that are open', async () => {
    const { owner, member } = people;
    const send = () => member.api('POST', '/templates', { name: 'x', subject: 'x', text: 'x' });
    expect((await send()).status).toBe(201);
    expect((await owner.api('PATCH', `/members/${member.id}`, { role: 'read_only' })).status).toBe(200);
    const refused = await send();
    expect(refused.body.error).toEqual({
      code: 'FORBIDDEN',
      message: 'Your role allows reading only. Ask an owner of the organization for another role.',
      details: [],
    });
    await owner.api('PATCH', `/members/${member.id}`, { role: 'member' });
    expect((await send()).status).toBe(201);
  });
});
