/** The route table in a file: for the operator, on the machine of the installation. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { readStoredTable } from '../../src/routing/store.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { routingDeps, setRoutes } from '../support/routes.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const PASSWORD = 'hunter2-of-the-relay';
const FILE = `
routes:
  transports:
    - { name: acme, kind: relay, url: "smtp://shop@\${RELAY_HOST}:587", password: "\${RELAY_PASSWORD}" }
    - name: pool
      kind: direct
      sources: [{ address: 192.0.2.7, ehlo_name: out7.example.org }, { address: 192.0.2.8, weight: 3 }]
  rules:
    - name: Google
      match: { providers: [google] }
      steps: [{ choices: [{ transport: pool }] }, { choices: [{ transport: acme }] }]
`;

let server: TestApi;
let org: TestOrganization;
let folder: string;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization('First');
  await server.createOrganization('Second');
  folder = await mkdtemp(join(tmpdir(), 'postrider-apply-routes-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await setRoutes(server.db, { transports: [], rules: [] });
});

const env = (more: object = {}) => ({
  DATABASE_URL: server.database.url,
  POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
  POSTRIDER_VAR_RELAY_HOST: 'relay.example.net',
  POSTRIDER_VAR_RELAY_PASSWORD: PASSWORD,
  ...more,
});
async function apply(text: string, argv: readonly string[] = ['--yes'], more: object = {}) {
  const file = join(folder, 'postrider.yaml');
  await writeFile(file, text);
  return runCommand(['apply', '-f', file, ...argv], env(more));
}

describe('routes in a file', () => {
  it('are planned, applied, and then there is nothing to change', async () => {
    const planned = await apply(FILE, ['--dry-run', '--detailed-exitcode']);
    expect(planned).toMatchObject({ code: 2, err: '' });
    expect(planned.out).toContain(
      '  ~ routes        (transports: ["acme","pool"], rules: 1, new_passwords: ["acme"])',
    );
    expect((await readStoredTable(server.db)).rules).toEqual([]);
    const applied = await apply(FILE);
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(applied.out).toContain('Changed the routes.\n');
    expect(applied.out).not.toContain(PASSWORD);
    const { transports, rules } = await readStoredTable(server.db);
    expect(transports.map(({ transport }) => transport)).toMatchObject([
      { name: 'acme', url: 'smtp://shop@relay.example.net:587' },
      { name: 'pool', sources: [{ weight: 1 }, { weight: 3 }] },
    ]);
    expect(rules).toHaveLength(1);
    const sealed = transports[0]?.sealedPassword as Buffer;
    expect(routingDeps(server.db).box.open('acme', sealed).toString()).toBe(PASSWORD);
    expect((await apply(FILE, ['--dry-run', '--detailed-exitcode'])).out).toContain('Nothing to change.');
  });

  it('are noted in the audit log of the first organization, without the password', async () => {
    await apply(FILE);
    const [entry] = await server.db.many(
      adHoc<{ organization_id: string; details: object }>(
        `SELECT organization_id, details FROM audit_log WHERE action = 'routes.changed' ORDER BY id DESC LIMIT 1`,
      ),
    );
    expect(entry).toEqual({
      organization_id: org.id,
      details: { transports: ['acme', 'pool'], rules: 1, new_passwords: ['acme'] },
    });
  });

  it('change when only the password does', async () => {
    await apply(FILE);
    const changed = await apply(FILE, ['--dry-run'], { POSTRIDER_VAR_RELAY_PASSWORD: 'another' });
    expect(changed.out).toContain('  ~ routes        (new_passwords: ["acme"])');
  });

  it('that were exported change nothing', async () => {
    await apply(FILE);
    const exported = await runCommand(['apply', 'export'], env());
    expect(exported.out).toContain('routes:');
    expect(exported.out).not.toContain(PASSWORD);
    const again = await apply(exported.out, ['--dry-run', '--detailed-exitcode']);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to change.') });
  });

  it('move mail by a canary, which is planned, applied, exported, and then stays as it is', async () => {
    const text = FILE.replace(
      /steps: .*/,
      'steps: [{ choices: [{ transport: acme }] }]\n      canary: { name: off-acme, to: pool, percents: [5, 50, 100] }',
    );
    expect((await apply(text)).out).toContain('Changed the routes.\n');
    const { rules } = await readStoredTable(server.db);
    expect(rules[0]?.canary).toMatchObject({
      name: 'off-acme',
      percents: [5, 50, 100],
      minutes: 60,
      mails: 100,
    });
    const exported = await runCommand(['apply', 'export'], env());
    for (const same of [text, exported.out])
      expect((await apply(same, ['--dry-run', '--detailed-exitcode'])).out).toContain('Nothing to change.');
    const refused = await apply(text.replace('to: pool', 'to: acme'));
    expect(refused.err).toContain('routes.rules[0].canary.to: is already in the first step of the rule');
    expect(refused.err).not.toMatch(/^\s+at /m);
  });

  it('may stand beside the sections of an organization', async () => {
    const applied = await apply(`${FILE}\ndomains: [{ domain: mail.acme.example }]\n`, [
      ...['--yes', '--org', org.id],
    ]);
    expect(applied.out).toMatch(/Created the domain mail\.acme\.example\.[\s\S]*Changed the routes\./);
  });

  it.each([
    [
      'a password in clear',
      FILE.replace(/"\$\{RELAY_PASSWORD\}"/, 'hunter2'),
      'password: must be a variable',
    ],
    [
      'a transport that is not there',
      FILE.replace('transport: pool', 'transport: pond'),
      'There is no transport pond.',
    ],
    ['what is not a field', FILE.replace('weight: 3', 'wight: 3'), 'routes.transports[1].sources[1].wight'],
  ])('are refused before anything happens, with %s', async (_name, text, message) => {
    const refused = await apply(text);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(message);
    expect((await readStoredTable(server.db)).transports).toEqual([]);
  });

  it('are the operator’s: no API key can apply them', async () => {
    const refused = await apply(FILE, ['--yes', '--url', server.url], { POSTRIDER_API_KEY: org.key });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('on its machine, without --url') });
  });
});
