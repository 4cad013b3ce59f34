/** What operators do on the command line is in the audit log. Every command is either written down or named here as one that is not. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

/** They change nothing that outlives them; migrations have a table of their own. */
const NOT_WRITTEN = [
  ...[
    'start',
    'status',
    'cell list',
    'doctor',
    'dkim',
    'events',
    'listen',
    'mcp',
    'verify-proof',
    'migrate',
    'setup-link',
    'secret',
    'backup check',
    'completion',
    'help',
    'templates pull',
  ],
  ...['org list', 'key list', 'domain list', 'domain export', 'domain verify', 'user list', 'hold list'],
  ...['suppression list', 'webhook list', 'webhook test'],
  ...['canary list', 'canary show', 'certificates'],
  ...['incident', 'queue', 'inbound', 'inbound show', 'apply export'],
];

/** Their tests say so, where what they need is at hand. */
const ELSEWHERE = ['restore', 'secret rotate', 'secret retire', 'org move', 'content bring-back'];

let server: TestApi;
let first: TestOrganization;
let other: TestOrganization;
let owner: Person;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-audit-'));
  server = await startApi();
  first = await server.createOrganization('First');
  owner = await signUpOwner(server);
  other = await server.createOrganization('Other');
  await owner.api('PUT', '/routes', {
    version: 0,
    transports: [{ name: 'acme', kind: 'relay', url: 'smtp://relay.example.net' }],
    rules: [{ steps: [{ choices: [{ transport: 'default' }] }], canary: { name: 'off-acme', to: 'acme' } }],
  });
  await server.db.exec(
    adHoc(
      `INSERT INTO site_domains (domain, site, provider) VALUES ('there.test', 'mx.there.test', 'there')`,
    ),
  );
  await server.db.exec(
    adHoc(`INSERT INTO inbound_messages (id, received_at, mailbox, mail_from, remote_address, size, raw, state)
           VALUES ($1, now(), 'abuse', 'a@b.test', '127.0.0.1', 1, 'x', 'kept')`),
    [MESSAGE],
  );
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const MESSAGE = '019a6d3c-8c40-7c7e-9a51-3f3c4d6c8a10';

const run = (...argv: string[]) =>
  runCommand(argv, { DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY });

interface Written {
  readonly organization_id: string;
  readonly action: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string;
}

const written = () =>
  server.db.many(adHoc<Written>('SELECT * FROM audit_log WHERE actor_type = $1 ORDER BY id'), ['operator']);

/** The entries that this command has written. */
async function entriesOf(...argv: string[]): Promise<Written[]> {
  const before = (await written()).length;
  const { code, err } = await run(...argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return (await written()).slice(before);
}

const idOf = async (what: string) =>
  (await server.db.one(adHoc<{ id: string }>(`SELECT id FROM ${what} LIMIT 1`))).id;
const holdId = () => idOf('holds WHERE ending IS NULL');

type Case = readonly [
  name: string,
  args: () => Promise<readonly string[]> | readonly string[],
  whose: () => string,
  expected: Partial<Written>,
];

const times = () => [
  ...['--from', new Date(Date.now() - 3_600_000).toISOString()],
  ...['--to', new Date().toISOString()],
];

const CANARY_DEEDS = { pause: 'paused', resume: 'resumed', back: 'taken_back', finish: 'finished' };

const CASES: readonly Case[] = [
  [
    'org limit',
    () => [other.id, '500'],
    () => other.id,
    details('organization.limit_changed', { daily_limit: 500 }),
  ],
  [
    'key create',
    () => ['--org', other.id, '--name', 'Shop', '--scope', 'send'],
    () => other.id,
    { ...details('api_key.created', { scope: 'send' }), target_name: 'Shop' },
  ],
  [
    'key revoke',
    async () => [await idOf(`api_keys WHERE name = 'Shop'`)],
    () => other.id,
    { action: 'api_key.revoked', target_name: 'Shop' },
  ],
  [
    'domain add',
    () => ['shop.example', '--org', other.id],
    () => other.id,
    { action: 'domain.created', target_name: 'shop.example' },
  ],
  [
    'domain rotate-dkim',
    () => ['shop.example', '--org', other.id],
    () => other.id,
    { action: 'domain.dkim_rotation_started', target_name: 'shop.example' },
  ],
  [
    'domain remove',
    () => ['shop.example', '--org', other.id],
    () => other.id,
    { action: 'domain.deleted', target_name: 'shop.example' },
  ],
  [
    'user link',
    () => [owner.email],
    () => first.id,
    { action: 'user.link_created', target_name: 'owner@example.org' },
  ],
  [
    'user totp-off',
    () => [owner.email],
    () => first.id,
    { action: 'user.totp_disabled', target_name: 'owner@example.org' },
  ],
  [
    'user create',
    () => ['ada@example.org', '--role', 'member', '--org', other.id],
    () => other.id,
    { action: 'user.created', target_name: 'ada@example.org' },
  ],
  [
    'user invite',
    () => ['bob@example.org', '--role', 'member', '--org', other.id],
    () => other.id,
    { ...details('invite.created', { role: 'member' }), target_name: 'bob@example.org' },
  ],
  [
    'user role',
    () => ['ada@example.org', 'read_only', '--org', other.id],
    () => other.id,
    { ...details('member.updated', { role: 'read_only' }), target_name: 'ada@example.org' },
  ],
  [
    'user disable',
    () => ['ada@example.org'],
    () => other.id,
    { action: 'user.disabled', target_name: 'ada@example.org' },
  ],
  [
    'user enable',
    () => ['ada@example.org'],
    () => other.id,
    { action: 'user.enabled', target_name: 'ada@example.org' },
  ],
  [
    'suppression add',
    () => ['sup@there.test', '--org', other.id],
    () => other.id,
    { ...details('suppression.created', { reason: 'manual' }), target_name: 'sup@there.test' },
  ],
  [
    'suppression remove',
    () => ['sup@there.test', '--org', other.id],
    () => other.id,
    { action: 'suppression.deleted', target_name: 'sup@there.test' },
  ],
  [
    'webhook add',
    () => ['http://127.0.0.1:1/hook', '--org', other.id],
    () => other.id,
    { action: 'webhook.created', target_name: 'http://127.0.0.1:1/hook' },
  ],
  [
    'send',
    () => ['someone@there.test', '--org', other.id, '--wait', '0'],
    () => other.id,
    { action: 'email.test_sent', target_name: 'someone@there.test' },
  ],
  ...(['pause', 'resume', 'back', 'finish'] as const).map(
    (verb): Case => [
      `canary ${verb}`,
      () => ['off-acme'],
      () => first.id,
      { action: `canary.${CANARY_DEEDS[verb]}`, target_name: 'off-acme' },
    ],
  ),
  [
    'hold',
    () => ['organization', other.id, '--reason', 'sends spam'],
    () => other.id,
    details('hold.placed', { scope: 'organization', reason: 'sends spam' }),
  ],
  ['release', async () => [await holdId(), '--yes'], () => other.id, details('hold.released', {})],
  [
    'hold',
    () => ['all', '--reason', 'looking into it'],
    () => first.id,
    { ...details('hold.placed', { scope: 'all', reason: 'looking into it' }), target_name: 'all' },
  ],
  [
    'discard',
    async () => [await holdId(), '--reason', 'wrong list', '--yes'],
    () => first.id,
    details('hold.discarded', { reason: 'wrong list' }),
  ],
  [
    'queue discard',
    () => ['--mode', 'live', '--yes'],
    () => first.id,
    details('queue.discarded', { mode: 'live', discarded: 0 }),
  ],
  [
    'queue pause',
    () => ['mx.there.test'],
    () => first.id,
    { action: 'site.paused', target_id: 'mx.there.test' },
  ],
  [
    'queue try-now',
    () => ['mx.there.test'],
    () => first.id,
    { action: 'site.tried', target_id: 'mx.there.test' },
  ],
  [
    'queue resume',
    () => ['mx.there.test'],
    () => first.id,
    { action: 'site.resumed', target_id: 'mx.there.test' },
  ],
  ['queue flush', () => ['--org', other.id], () => other.id, details('queue.flushed', { flushed: 0 })],
  [
    'erase',
    () => ['gone@there.test', '--org', other.id, '--yes'],
    () => other.id,
    { action: 'recipient.erased' },
  ],
  ['export', () => ['gone@there.test', '--org', other.id], () => other.id, { action: 'recipient.exported' }],
  [
    'inbound remove',
    () => [MESSAGE],
    () => first.id,
    { action: 'inbound_message.deleted', target_id: MESSAGE },
  ],
  [
    'apply',
    () => ['--file', templateFile(), '--org', other.id, '--yes'],
    () => other.id,
    { action: 'template.created', target_name: 'receipt', details: {} },
  ],
  [
    'templates push',
    () => [templateFolder(), '--org', other.id],
    () => other.id,
    { action: 'template.created', target_name: 'pushed', details: {} },
  ],
  ['backup', () => [join(folder, 'one.tar')], () => first.id, { action: 'installation.backed_up' }],
];

function templateFolder(): string {
  const emails = join(folder, 'emails');
  mkdirSync(emails, { recursive: true });
  writeFileSync(join(emails, 'pushed.html'), '---\nsubject: Thanks\n---\n<p>Thanks</p>');
  return emails;
}

function templateFile(): string {
  const file = join(folder, 'postrider.yaml');
  writeFileSync(file, 'templates: [{ alias: receipt, name: Receipt, subject: Thanks }]\n');
  return file;
}

function details(action: string, of: Readonly<Record<string, unknown>>): Partial<Written> {
  return { action, details: of };
}

describe('the audit log', () => {
  it.each(CASES)('has what an operator did: %s', async (name, args, whose, expected) => {
    const entries = await entriesOf(...name.split(' '), ...(await args()));
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ organization_id: whose(), actor_id: 'ada', actor_name: 'ada', address: 'mail-1' },
        ...expected,
      }),
    ]);
  });

  it('has a new organization in its own', async () => {
    const [entry, ...others] = await entriesOf('org', 'create', 'Third');
    expect(entry).toMatchObject({ action: 'organization.created', target_name: 'Third' });
    expect(entry?.organization_id).toBe(entry?.target_id);
    expect(others).toEqual([]);
  });

  it('has an undo in each organization where something bounced', async () => {
    await server.db.exec(
      adHoc(`WITH new AS (SELECT uuid_v7_floor(now() - interval '1 minute') AS id), recipient AS (
               INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
               SELECT $1, id, 0, 'to', 'a@there.test', 'bounced', now() FROM new)
             INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at)
             SELECT $1, id, id, 0, 'a@there.test', 'bounced', now() FROM new`),
      [other.id],
    );
    const entries = await entriesOf('undo', ...times(), '--reason', 'a bad hour', '--yes');
    expect(entries).toMatchObject([
      { organization_id: other.id, action: 'incident.undone', details: { reason: 'a bad hour' } },
    ]);
  });

  it('has nothing of what was only asked about, or refused', async () => {
    const before = (await written()).length;
    await run('queue', 'discard', '--mode', 'live');
    await run('hold', 'organization', 'org_none', '--reason', 'x');
    await run('key', 'revoke', 'key_none');
    expect(await written()).toHaveLength(before);
  });

  it('shows owners that it was an operator, who, and on which machine', async () => {
    await run('hold', 'provider', 'there', '--reason', 'refuses everything');
    const { data } = (await owner.api('GET', '/audit-log?limit=1')).body;
    expect(data).toMatchObject([
      {
        action: 'hold.placed',
        actor: { type: 'operator', id: 'ada', name: 'ada' },
        target: { name: 'provider there' },
        address: 'mail-1',
      },
    ]);
    expect((await run('hold', 'list')).out).toContain('operator ada');
  });

  it('does not keep anything from being done where it cannot be written', async () => {
    await server.db.exec(adHoc('ALTER TABLE audit_log RENAME TO away'));
    const { code, err } = await run('org', 'limit', other.id, '7');
    await server.db.exec(adHoc('ALTER TABLE away RENAME TO audit_log'));
    expect(code).toBe(0);
    expect(err).toContain('could not be written to the audit log');
  });

  it('has no action that the page about it does not list', async () => {
    const page = readFileSync('docs/operate/users.md', 'utf8');
    const actions = new Set((await written()).map(({ action }) => action));
    expect([...actions].filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
  });

  it('knows every command', async () => {
    const { out } = await run('help');
    const commands = [...out.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)*)/gm)].map(([, name]) => name);
    const covered = [...NOT_WRITTEN, ...ELSEWHERE, ...CASES.map(([name]) => name), 'org create', 'undo'];
    expect(commands.toSorted()).toEqual([...new Set(covered)].toSorted());
  });
});
