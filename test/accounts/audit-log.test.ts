/** Who did what. Every route that changes something is either written down or named here as one that is not. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { join, PASSWORD, type Person, signUpOwner } from './people.ts';

let server: TestApi;
let organization: TestOrganization;
let owner: Person;

beforeAll(async () => {
  server = await startApi();
  organization = await server.createOrganization('Default');
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

/** What happens to mail has its own history, and these change nothing that outlives them. */
const NOT_WRITTEN = [
  // It goes with the organization.
  'DELETE /sandbox/organization',
  'PATCH /sandbox/messages',
  'PATCH /sandbox/messages/{id}',
  'POST /auth/organization',
  'POST /auth/password-reset',
  'POST /auth/email/confirmation',
  'POST /auth/totp',
  'POST /doctor',
  'POST /emails/batch',
  'POST /emails/batch/dry-run',
  'POST /emails/batch/mixed',
  'POST /emails/batch/mixed/dry-run',
  'POST /emails/send',
  'POST /emails/send/dry-run',
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /emails/retry',
  'POST /emails/{id}/retry',
  'POST /inbound/{id}/reply',
  'POST /sandbox/domains/{id}/reports',
  'POST /sandbox/messages/{id}/actions',
  'POST /sandbox/messages/{id}/links/check',
  'POST /templates/check',
  'POST /templates/validate',
  'POST /templates/{id}/preview',
  'POST /templates/{id}/test',
  'POST /templates/{id}/test/dry-run',
  'POST /undos/preview',
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay',
  'POST /webhooks/{id}/replay',
  'POST /webhooks/{id}/test',
];

const log = async (query = '') => (await owner.api('GET', `/audit-log${query}`)).body;

describe('the audit log', () => {
  it('is written by every route that changes something', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { 'x-audit'?: string }>>;
    };
    const unwritten = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method, operation]) => method !== 'get' && operation['x-audit'] === undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(unwritten.filter((route) => !NOT_WRITTEN.includes(route))).toEqual([]);
  });

  it('has no action that the page about it does not list', async () => {
    const page = readFileSync('docs/operate/users.md', 'utf8');
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { 'x-audit'?: string }>>;
    };
    const operations = Object.values(paths).flatMap((one) => Object.values(one));
    const actions = operations.flatMap((one) => one['x-audit'] ?? []);
    expect(actions).toContain('hold.placed');
    expect(actions.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
  });

  it('says who did what, to what, and from where', async () => {
    const made = (await owner.api('POST', '/api-keys', { name: 'Shop', scope: 'send' })).body.data;
    await owner.api('DELETE', `/api-keys/${made.id}`);
    const { data } = await log('?limit=2');
    expect(data).toMatchObject([
      { action: 'api_key.revoked', target: { id: made.id, name: 'Shop' }, details: {} },
      {
        action: 'api_key.created',
        actor: { type: 'user', id: owner.id, name: owner.email },
        target: { id: made.id, name: 'Shop' },
        details: { scope: 'send' },
        address: '127.0.0.1',
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(made.key);
  });

  it('names who cancelled or rescheduled mail, and no word of the mail', async () => {
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const mail = {
      from: { email: `a@${organization.domain}` },
      to: [{ email: 'secret-friend@example.org' }],
      ...{ subject: 'A secret', text: 'x', scheduled_at: hour(1) },
    };
    const { message_id: id } = (await server.api('POST', '/emails/send', mail, organization.key)).body.data;
    const later = hour(2);
    await server.api('PATCH', `/emails/${id}`, { scheduled_at: later }, organization.key);
    expect((await owner.api('POST', `/emails/${id}/cancel`)).status).toBe(200);
    expect((await owner.api('POST', `/emails/${id}/cancel`)).status).toBe(409);
    const { data } = await log('?action=email');
    expect(data).toMatchObject([
      { action: 'email.cancelled', actor: { type: 'user', id: owner.id }, target: { id }, details: {} },
      {
        action: 'email.rescheduled',
        actor: { type: 'api_key', name: 'test' },
        target: { id },
        details: { scheduled_at: later },
      },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/secret/i);
  });

  it('says so of keys, too', async () => {
    const { api } = server;
    const domain = (await api('POST', '/domains', { domain: 'audited.example' }, organization.key)).body.data;
    await api('DELETE', `/domains/${domain.id}`, undefined, organization.key);
    const body = { email: 'gone@example.org', reason: 'manual' };
    const suppression = (await api('POST', '/suppressions', body, organization.key)).body.data;
    await api('DELETE', `/suppressions/${suppression.id}`, undefined, organization.key);
    await api('PUT', '/settings/auto-validation', { threshold: 'high' }, organization.key);
    const { data } = await log('?limit=5');
    expect(data.map((one: { action: string }) => one.action)).toEqual([
      'settings.auto_validation_changed',
      'suppression.deleted',
      'suppression.created',
      'domain.deleted',
      'domain.created',
    ]);
    expect(data[0]).toMatchObject({
      actor: { type: 'api_key', name: 'test' },
      details: { threshold: 'high' },
    });
    expect(data[1].target).toEqual({ id: suppression.id, name: 'gone@example.org' });
    expect(data[3].target).toEqual({ id: domain.id, name: 'audited.example' });
  });

  it('tells of sign-ins, members and invites', async () => {
    const bob = await join(server, owner, 'bob@example.org', 'member');
    await bob.signIn();
    await bob.api('POST', '/auth/sign-out');
    await owner.api('PATCH', `/members/${bob.id}`, { role: 'read_only' });
    await owner.api('DELETE', `/members/${bob.id}`);
    const { data } = await log('?limit=6');
    const lines = data.map((one: { action: string; actor: { name: string } }) => [
      one.action,
      one.actor.name,
    ]);
    expect(lines).toEqual([
      ['member.removed', owner.email],
      ['member.updated', owner.email],
      ['session.ended', bob.email],
      ['session.created', bob.email],
      ['member.joined', bob.email],
      ['invite.created', owner.email],
    ]);
    expect(data[0].target).toEqual({ id: bob.id, name: bob.email });
    expect(data[1].details).toEqual({ role: 'read_only' });
  });

  it('never holds a password, a code or a link', async () => {
    await owner.api('POST', '/auth/password', { current: PASSWORD, new: 'a password for the log' });
    const rows = await server.db.many(adHoc('SELECT to_jsonb(a)::text AS row FROM audit_log a'));
    const text = JSON.stringify(rows);
    expect(text).toContain('user.password_changed');
    for (const secret of [PASSWORD, 'a password for the log', '/invite/']) expect(text).not.toContain(secret);
  });

  it('has nothing of what was refused', async () => {
    const before = (await log('?limit=1')).data[0].id;
    await owner.api('POST', '/api-keys', { name: '' });
    await owner.api('DELETE', '/api-keys/key_00000000000000000000');
    await owner.api('POST', '/auth/password', { current: 'wrong', new: 'a good new password' });
    expect((await log('?limit=1')).data[0].id).toBe(before);
  });

  it('is read page by page, and by what or who', async () => {
    const all = (await log('?limit=100')).data;
    const pages = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { data: { id: string }[]; pagination: { next_cursor: string | null } } = await log(
        `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.data.length).toBeLessThanOrEqual(3);
      pages.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    expect(pages).toEqual(all);
    const created = (await log('?action=api_key.created')).data;
    expect(created.map((one: { action: string }) => one.action)).toEqual(['api_key.created']);
    const mine = (await log(`?actor_id=${owner.id}&limit=100`)).data;
    expect(mine.length).toBeLessThan(all.length);
    expect((await owner.api('GET', '/audit-log?cursor=x')).status).toBe(400);
  });
});
