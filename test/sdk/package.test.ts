/** The package as others get it: packed, unpacked into a project of theirs, compiled and run there. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPackage } from '../../sdk/scripts/package-folder.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const run = promisify(execFile);
/** Unminified, with its comments. */
const MAX_GZIPPED_BYTES = 19_500;

let server: ScriptedServer;
let project: string;
let installed: string;
beforeAll(async () => {
  server = await startScriptedServer();
  project = mkdtempSync(path.join(tmpdir(), 'postrider-sdk-'));
  installed = path.join(project, 'node_modules', '@postrider', 'sdk');
  const built = path.join(project, 'built');
  buildPackage(built);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], { cwd: built });
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', path.join(project, tarball), '-C', installed, '--strip-components=1']);
  symlinkSync(path.resolve('node_modules/@types'), path.join(project, 'node_modules', '@types'));
});
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await server.close();
});

function scripts(): string[] {
  return readdirSync(installed, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js'));
}

it('depends on nothing and imports nothing but its own files, and React for who sends it', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js']));
  const imported = scripts().flatMap((name) => {
    const text = readFileSync(path.join(installed, name), 'utf8');
    return [...text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)|\brequire\(/g)].map(
      ([all, from, dynamic]) => from ?? dynamic ?? all,
    );
  });
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((name) => !/^\.{1,2}\/[\w/.-]+\.js$/.test(name))).toEqual(['@react-email/render']);
  expect(manifest.peerDependenciesMeta).toEqual({ '@react-email/render': { optional: true } });
});

it('is small', () => {
  const text = scripts().map((name) => readFileSync(path.join(installed, name), 'utf8'));
  expect(gzipSync(text.join('\n')).length).toBeLessThan(MAX_GZIPPED_BYTES);
});

it('runs under plain node', async () => {
  server.script({ status: 201, body: { data: { message_id: 'm_1', status: 'queued' } } });
  const program = `
    import { Postrider, verifyWebhook, WebhookVerificationError } from '@postrider/sdk';
    const client = new Postrider({ apiKey: 'pr_1', baseUrl: process.argv[2] });
    const sent = await client.emails.send({
      from: { email: 'a@example.org' }, to: [{ email: 'b@example.org' }], subject: 'Hi', text: 'Hi',
    });
    const problem = await verifyWebhook('{}', {}, 'whsec_AAAA').catch((error) => error);
    console.log(sent.message_id, problem instanceof WebhookVerificationError, problem.reason);
  `;
  writeFileSync(path.join(project, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, ['program.mjs', server.url], { cwd: project });
  expect(stdout.trim()).toBe('m_1 true missing_header');
});

const CONSUMER = `
import { Postrider, PostriderError, verifyWebhook, type Email, type WebhookEvent } from '@postrider/sdk';

export async function main(client: Postrider): Promise<Email> {
  const { message_id } = await client.emails.send({
    from: { email: 'a@example.org' }, to: [{ email: 'b@example.org' }], subject: 'Hi', text: undefined,
  });
  // @ts-expect-error a subject is needed
  await client.emails.send({ from: { email: 'a@example.org' }, to: [] });
  // @ts-expect-error there is no such state
  for await (const email of client.emails.all({ state: 'lost' })) console.log(email.id);
  // @ts-expect-error there is no such operation
  await client.request('GET /nothing', {});
  // @ts-expect-error the id is missing
  await client.request('GET /emails/{id}', {});
  try {
    return await client.emails.get(message_id);
  } catch (error) {
    if (error instanceof PostriderError && error.code === 'NOT_FOUND') console.log(error.details[0]?.field);
    // @ts-expect-error there is no such code
    if (error instanceof PostriderError && error.code === 'NOT_THERE') console.log('never');
    throw error;
  }
}

export async function hook(request: Request, secret: string): Promise<string> {
  const event: WebhookEvent = await verifyWebhook(await request.arrayBuffer(), request.headers, secret);
  if (event.type === 'email.bounced') return event.data.reason ?? event.data.recipient;
  // @ts-expect-error a test is about no recipient
  if (event.type === 'webhook.test') return event.data.recipient;
  return '';
}
`;

it.each([
  ['a browser project', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
  ['a Node project', { module: 'nodenext', lib: ['es2022'], types: ['node'] }],
])('has types that hold in %s, without skipping the check of libraries', async (_, compilerOptions) => {
  writeFileSync(path.join(project, 'consumer.mts'), CONSUMER);
  const config = {
    compilerOptions: {
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...compilerOptions,
    },
    files: ['consumer.mts'],
  };
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const checked = await run(process.execPath, [tsc, '-p', project]).catch((error) => error);
  expect(checked.stdout).toBe('');
  expect(checked.code).toBeUndefined();
});
