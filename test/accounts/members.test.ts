/** Members, invites and organizations; and two people who must not see each other's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi } from '../support/api.ts';
import {
  join,
  MovableClock,
  mailedText,
  mailedToken,
  PASSWORD,
  Person,
  signUpOwner,
  strangerOf,
} from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let owner: Person;
let stranger: Person;

beforeAll(async () => {
  server = await startApi({ clock });
  await server.createOrganization('Default');
  owner = await signUpOwner(server);
  stranger = await strangerOf(server, owner, 'stranger@example.org');
});
afterAll(() => server.stop());

const invite = (by: Person, email: string, role = 'member') =>
  by.api('POST', '/members/invites', { email, role });

/** The token of a new invite, as its mail has it. */
async function invited(email: string, role = 'member'): Promise<string> {
  await invite(owner, email, role);
  return mailedToken(server, email);
}

describe('an invite', () => {
  it('is mailed without showing the link to the inviting member; the link shows what it is for', async () => {
    const made = await invite(owner, 'Bob@Example.org', 'read_only');
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      email: 'bob@example.org',
      role: 'read_only',
      invited_by: owner.email,
      mailed: true,
      link: null,
    });
    const token = await mailedToken(server, 'bob@example.org');
    expect(JSON.stringify(made.body)).not.toContain(token);
    expect(await mailedText(server, 'bob@example.org')).toMatch(
      new RegExp(`${owner.email} invites you to Default[^]*http://localhost:\\d+/invite/${token}\n`),
    );
    const seen = await server.api('GET', `/invites/${token}`);
    expect(seen.body.data).toMatchObject({
      email: 'bob@example.org',
      role: 'read_only',
      organization: { name: 'Default' },
      has_account: false,
    });
    const listed = await owner.api('GET', '/members/invites');
    expect(listed.body.data.map((one: { email: string }) => one.email)).toEqual(['bob@example.org']);
    expect(JSON.stringify(listed.body)).not.toContain(token);
  });

  it('lets somebody new in once, with a password that will do', async () => {
    const token = await invited('carol@example.org');
    const carol = new Person(server, 'carol@example.org');
    const weak = await carol.api('POST', `/invites/${token}/accept`, { password: 'carol@example.org' });
    expect(weak.body.error.details[0].field).toBe('password');
    expect((await carol.api('POST', `/invites/${token}/accept`, {})).status).toBe(400);
    const joined = await carol.api('POST', `/invites/${token}/accept`, { name: 'Carol', password: PASSWORD });
    expect(joined.body.data).toMatchObject({
      user: { email: 'carol@example.org', name: 'Carol' },
      organization: { name: 'Default' },
      role: 'member',
    });
    expect(await carol.isSignedIn()).toBe(true);
    expect((await server.api('GET', `/invites/${token}`)).status).toBe(404);
    const again = new Person(server, 'carol@example.org');
    const refused = await again.api('POST', `/invites/${token}/accept`, { password: PASSWORD });
    expect([refused.status, again.cookie]).toEqual([404, undefined]);
    expect((await invite(owner, 'carol@example.org')).status).toBe(409);
  });

  it('lets only one in when many accept it at once', async () => {
    const token = await invited('race@example.org');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        new Person(server, 'race@example.org').api('POST', `/invites/${token}/accept`, {
          password: PASSWORD,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('lets somebody who has an account in when they are signed in, and nobody else', async () => {
    const token = await invited(stranger.email);
    expect((await server.api('GET', `/invites/${token}`)).body.data.has_account).toBe(true);
    const nobody = await new Person(server, 'x').api('POST', `/invites/${token}/accept`, {
      password: PASSWORD,
    });
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    const other = await owner.api('POST', `/invites/${token}/accept`, {});
    expect([other.status, other.body.error.code]).toEqual([403, 'FORBIDDEN']);
    const home = (await stranger.api('GET', '/auth/me')).body.data.organization.id;
    const joined = await stranger.api('POST', `/invites/${token}/accept`, {});
    expect(joined.body.data).toMatchObject({ organization: { name: 'Default' }, role: 'member' });
    expect(joined.body.data.organizations).toHaveLength(2);
    expect((await owner.api('DELETE', `/members/${stranger.id}`)).status).toBe(200);
    expect(await stranger.isSignedIn()).toBe(false);
    expect((await stranger.signIn()).body.data.organization.id).toBe(home);
  });

  it('is too old after a week', async () => {
    const token = await invited('late@example.org');
    clock.ms += 7 * DAY_MS;
    expect((await server.api('GET', `/invites/${token}`)).status).toBe(404);
    const late = await server.api('POST', `/invites/${token}/accept`, { password: PASSWORD });
    expect(late.status).toBe(404);
    expect((await owner.api('GET', '/members/invites')).body.data).toEqual([]);
  });

  it('is mailed 50 times an hour at most, also to the same address, at once and after withdrawing', async () => {
    const flooder = await strangerOf(server, owner, 'flooder@example.org');
    clock.ms += DAY_MS;
    await flooder.signIn();
    const first = await invite(flooder, 'victim@example.org');
    expect((await flooder.api('DELETE', `/members/invites/${first.body.data.id}`)).status).toBe(200);
    const rest = await Promise.all(Array.from({ length: 52 }, () => invite(flooder, 'victim@example.org')));
    const statuses = rest.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(49).fill(201), 429, 429, 429]);
  });

  it('stops working when it is withdrawn, or replaced by another', async () => {
    const first = await invited('dave@example.org');
    const { id } = (await invite(owner, 'dave@example.org', 'owner')).body.data;
    const second = await mailedToken(server, 'dave@example.org');
    expect((await server.api('GET', `/invites/${first}`)).status).toBe(404);
    expect((await server.api('GET', `/invites/${second}`)).body.data.role).toBe('owner');
    expect((await owner.api('DELETE', `/members/invites/${id}`)).body.data.deleted).toBe(true);
    expect((await server.api('GET', `/invites/${second}`)).status).toBe(404);
  });

  it('is stored as a hash only', async () => {
    const token = await invited('hash@example.org');
    const rows = await server.db.many(adHoc('SELECT to_jsonb(i)::text AS row FROM invites i'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a member', () => {
  it('is listed with role and when they were last seen', async () => {
    clock.ms += 10 * 60_000;
    await owner.api('GET', '/auth/me');
    const { data } = (await owner.api('GET', '/members')).body;
    expect(data.find((one: { id: string }) => one.id === owner.id)).toMatchObject({
      email: owner.email,
      role: 'owner',
      totp_enabled: false,
      last_seen_at: new Date(clock.ms).toISOString(),
    });
    expect(JSON.stringify(data)).not.toContain('scrypt');
  });

  it('is out within a second of being removed, and their sessions with them', async () => {
    const eve = await join(server, owner, 'eve@example.org', 'member');
    expect((await owner.api('DELETE', `/members/${eve.id}`)).body.data).toEqual({
      id: eve.id,
      deleted: true,
      revoked: false,
      api_keys: [],
      invites: [],
      webhooks: [],
    });
    expect((await eve.api('GET', '/emails')).status).toBe(401);
    const back = await eve.signIn();
    expect([back.status, back.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('is removed with the list of keys and invites they made, which work on unless they are revoked', async () => {
    const fay = await join(server, owner, 'fay@example.org', 'owner');
    const key = (await fay.api('POST', '/api-keys', { name: 'Of Fay', scope: 'full' })).body.data;
    clock.ms += 1;
    const second = (await server.api('POST', '/api-keys', { name: 'Of Fay’s key', scope: 'read' }, key.key))
      .body.data;
    const open = (await invite(fay, 'friend-of-fay@example.org')).body.data;
    const made = {
      api_keys: [{ id: key.id, name: 'Of Fay' }, { id: second.id }],
      invites: [{ id: open.id, email: 'friend-of-fay@example.org' }],
    };
    expect((await owner.api('GET', `/members/${fay.id}/made`)).body.data).toMatchObject(made);
    expect((await stranger.api('GET', `/members/${fay.id}/made`)).status).toBe(404);
    const removed = (await owner.api('DELETE', `/members/${fay.id}`)).body.data;
    expect(removed).toMatchObject({ deleted: true, revoked: false, ...made });
    expect((await server.api('GET', '/emails', undefined, second.key)).status).toBe(200);
    // Who is gone can still be asked about, for as long as there is something left of them.
    expect((await owner.api('GET', `/members/${fay.id}/made`)).body.data).toMatchObject(made);
  });

  it('is removed with the list of webhooks that they created, or changed the address of, themselves or with a key', async () => {
    const hal = await join(server, owner, 'hal@example.org', 'member');
    const { key } = (await hal.api('POST', '/api-keys', { name: 'Of Hal', scope: 'full' })).body.data;
    const of = (by: Person | string, url: string) =>
      typeof by === 'string'
        ? server.api('POST', '/webhooks', { url }, by)
        : by.api('POST', '/webhooks', { url });
    const own = (await of(hal, 'http://127.0.0.1:9/hal')).body.data;
    const byKey = (await of(key, 'http://127.0.0.1:9/hal-key')).body.data;
    const moved = (await of(owner, 'http://127.0.0.1:9/owner')).body.data;
    const off = (await of(hal, 'http://127.0.0.1:9/off')).body.data;
    const others = (await of(owner, 'http://127.0.0.1:9/kept')).body.data;
    await owner.api('PATCH', `/webhooks/${own.id}`, { url: 'http://127.0.0.1:9/hal-moved' });
    await hal.api('PATCH', `/webhooks/${moved.id}`, { url: 'http://127.0.0.1:9/elsewhere' });
    await hal.api('PATCH', `/webhooks/${others.id}`, { description: 'renamed' });
    await hal.api('PATCH', `/webhooks/${off.id}`, { enabled: false });
    const listed = (await owner.api('GET', `/members/${hal.id}/made`)).body.data.webhooks;
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([own.id, byKey.id, moved.id].sort());
    expect(listed).toContainEqual({
      id: moved.id,
      url: 'http://127.0.0.1:9/elsewhere',
      description: null,
      created_at: expect.any(String),
    });

    const removed = (await owner.api('DELETE', `/members/${hal.id}?revoke=true`)).body.data;
    expect(removed.webhooks).toEqual(listed);
    const states = (await owner.api('GET', '/webhooks')).body.data.map(
      ({ id, enabled }: { id: string; enabled: boolean }) => [id, enabled],
    );
    expect(Object.fromEntries(states)).toMatchObject({
      [own.id]: false,
      [byKey.id]: false,
      [moved.id]: false,
      [others.id]: true,
    });
    const [entry] = (await owner.api('GET', '/audit-log?action=member.removed')).body.data;
    expect(entry.details.disabled_webhooks.sort()).toEqual(
      listed.map(({ url }: { url: string }) => url).sort(),
    );
  });

  it('keeps their webhooks working where the owner does not say so, and lists them afterwards', async () => {
    const ida = await join(server, owner, 'ida@example.org', 'member');
    const { id } = (await ida.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/ida' })).body.data;
    const removed = (await owner.api('DELETE', `/members/${ida.id}`)).body.data;
    expect(removed).toMatchObject({ revoked: false, webhooks: [{ id }] });
    expect((await owner.api('GET', `/webhooks/${id}`)).body.data.enabled).toBe(true);
    expect((await owner.api('GET', `/members/${ida.id}/made`)).body.data.webhooks).toMatchObject([{ id }]);
    expect((await stranger.api('GET', `/members/${ida.id}/made`)).status).toBe(404);
  });

  it('keeps the webhooks of the last owner, who cannot be removed', async () => {
    const last = await strangerOf(server, owner, 'last@example.org');
    const { id } = (await last.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/last' })).body.data;
    expect((await last.api('DELETE', `/members/${last.id}?revoke=true`)).status).toBe(409);
    expect((await last.api('GET', `/webhooks/${id}`)).body.data.enabled).toBe(true);
  });

  it('takes their keys and invites along when the owner says so, and the audit log names them', async () => {
    const gus = await join(server, owner, 'gus@example.org', 'owner');
    const key = (await gus.api('POST', '/api-keys', { name: 'Of Gus', scope: 'full' })).body.data;
    clock.ms += 1;
    const second = (await server.api('POST', '/api-keys', { name: 'Second of Gus', scope: 'read' }, key.key))
      .body.data;
    await invite(gus, 'friend-of-gus@example.org');
    const removed = (await owner.api('DELETE', `/members/${gus.id}?revoke=true`)).body.data;
    expect(removed).toMatchObject({ revoked: true, api_keys: [{ id: key.id }, { id: second.id }] });
    clock.ms += 1000;
    for (const { key: secret } of [key, second]) {
      expect((await server.api('GET', '/emails', undefined, secret)).status).toBe(401);
    }
    const invites = (await owner.api('GET', '/members/invites')).body.data;
    expect(JSON.stringify(invites)).not.toContain('friend-of-gus@example.org');
    expect((await owner.api('GET', `/members/${gus.id}/made`)).status).toBe(404);
    const [entry] = (await owner.api('GET', '/audit-log?action=member.removed')).body.data;
    expect(entry).toMatchObject({
      target: { name: 'gus@example.org' },
      details: {
        revoked_keys: ['Of Gus', 'Second of Gus'],
        withdrawn_invites: ['friend-of-gus@example.org'],
      },
    });
  });

  it('who is the last owner stays one', async () => {
    const demoted = await owner.api('PATCH', `/members/${owner.id}`, { role: 'member' });
    expect([demoted.status, demoted.body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await owner.api('DELETE', `/members/${owner.id}`)).status).toBe(409);
    const second = await join(server, owner, 'second@example.org', 'owner');
    const both = await Promise.all([
      owner.api('PATCH', `/members/${second.id}`, { role: 'member' }),
      second.api('PATCH', `/members/${owner.id}`, { role: 'member' }),
    ]);
    const owners = await server.db.many(
      adHoc(`SELECT user_id FROM memberships m JOIN organizations o ON o.id = m.organization_id
             WHERE o.name = 'Default' AND role = 'owner'`),
    );
    expect(owners).toHaveLength(1);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    await server.db.exec(adHoc(`UPDATE memberships SET role = 'owner' WHERE user_id = $1`), [owner.id]);
    clock.ms += 1000;
  });
});

describe('several organizations', () => {
  it('are made by owners, and switched between', async () => {
    const home = (await owner.api('GET', '/auth/me')).body.data.organization.id;
    const made = await owner.api('POST', '/organizations', { name: ' Acme Test ' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ name: 'Acme Test', role: 'owner' });
    const moved = await owner.api('POST', '/auth/organization', { organization_id: made.body.data.id });
    expect(moved.body.data.organization).toEqual({ id: made.body.data.id, name: 'Acme Test' });
    expect((await owner.api('GET', '/organization')).body.data.name).toBe('Acme Test');
    expect((await owner.api('GET', '/members')).body.data).toHaveLength(1);
    expect((await owner.api('PATCH', '/organization', { name: 'Acme' })).body.data.name).toBe('Acme');
    // Where one was is where one begins the next time.
    await owner.signIn();
    expect((await owner.api('GET', '/auth/me')).body.data.organization.name).toBe('Acme');
    await owner.api('POST', '/auth/organization', { organization_id: home });
    expect((await owner.api('GET', '/organization')).body.data.id).toBe(home);
  });

  it('are the operator’s to make, unless owners are let', async () => {
    const strict = await startApi({
      clock,
      database: server.database,
      env: { POSTRIDER_OWNERS_CREATE_ORGANIZATIONS: 'false' },
    });
    try {
      const again = new Person(strict, owner.email);
      await again.signIn();
      const answer = await again.api('POST', '/organizations', { name: 'Fresh limit' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(answer.body.error.message).toContain('npx postrider org create');
      const settings = await again.api('GET', '/organization');
      expect(settings.body.data.organization_creation).toBe('operator');
    } finally {
      await strict.stop();
    }
  });

  it('are closed to those who are not in them', async () => {
    const home = (await owner.api('GET', '/auth/me')).body.data.organization.id;
    for (const id of [home, 'org_0000000000000']) {
      const answer = await stranger.api('POST', '/auth/organization', { organization_id: id });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('two people who are signed in', () => {
  it('see and change nothing of each other’s organization', async () => {
    const dana = await join(server, owner, 'dana@example.org', 'member');
    const open = (await invite(owner, 'open@example.org')).body.data;
    const key = (await owner.api('POST', '/api-keys', { name: 'Secret key', scope: 'full' })).body.data;
    const template = { name: 'Secret', subject: 'Secret', text: 'Secret' };
    const made = (await owner.api('POST', '/templates', template)).body.data;
    for (const [method, path, body] of [
      ['PATCH', `/members/${dana.id}`, { role: 'read_only' }],
      ['DELETE', `/members/${dana.id}`, undefined],
      ['DELETE', `/members/invites/${open.id}`, undefined],
      ['DELETE', `/api-keys/${key.id}`, undefined],
      ['GET', `/templates/${made.id}`, undefined],
      ['DELETE', `/templates/${made.id}`, undefined],
    ] as const) {
      expect([path, (await stranger.api(method, path, body)).status]).toEqual([path, 404]);
    }
    const lists = ['/members', '/members/invites', '/api-keys', '/templates', '/audit-log', '/stats'];
    for (const path of lists) {
      const { status, body } = await stranger.api('GET', path);
      expect([path, status]).toEqual([path, 200]);
      for (const secret of [dana.email, 'open@example.org', 'Secret']) {
        expect(JSON.stringify(body)).not.toContain(secret);
      }
    }
    expect((await owner.api('GET', `/templates/${made.id}`)).status).toBe(200);
    expect(await dana.isSignedIn()).toBe(true);
  });
});
