/** The examples of README.md and docs/, run in order as a reader would, and their answers against those shown. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type Person, signUpOwner } from '../accounts/people.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { insertReadMail } from '../support/receiving.ts';
import { until } from '../support/until.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';
import { type Block, blocksOf, isRun, placeOf, unknownLines } from './blocks.ts';
import { pages } from './pages.ts';
import { differences, type Schema, Shapes } from './shape.ts';

/** Retries come within seconds; the pages show mail that was deferred once. */
const SPEED = '20';
const TIMEOUT_MS = 30_000;
/** What no key may ask for. */
const FOR_PEOPLE = /^\/(auth|members|audit-log)/;
const RUN = promisify(execFile);

const PAGES = pages().filter(({ name }) => /^(README\.md$|docs\/(?!internals|decisions))/.test(name));
const BLOCKS = PAGES.flatMap(blocksOf).filter(
  // What is shown in several languages is run by languages.test.ts.
  ({ note, tab }) => tab === null && !note?.startsWith('example:'),
);

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}
interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Paths;
  readonly webhooks: Paths;
}

let fixture: WebhookFixture;
let zone: DnsZoneServer;
let owner: Person;
let folder: string;
let shapes: Shapes;
let paths: Paths;
let webhooks: Paths;

beforeAll(async () => {
  zone = await startDnsZone({
    'gmial.com': { A: ['93.184.215.14'], MX: [[10, 'mx.example.org']] },
    'mx.example.org': { A: ['93.184.215.14'] },
  });
  fixture = await WebhookFixture.start(
    { POSTRIDER_SANDBOX_SPEED: SPEED },
    { POSTRIDER_DNS_SERVERS: zone.address },
  );
  await fixture.server.addVerifiedDomain(fixture.org.id, 'sandbox.test');
  owner = await signUpOwner(fixture.server, 'ada@example.org');
  folder = mkdtempSync(path.join(tmpdir(), 'postrider-docs-'));
  const document = (await (await fetch(`${fixture.server.url}/openapi.json`)).json()) as OpenApiDocument;
  shapes = new Shapes(document.components.schemas);
  paths = document.paths;
  webhooks = document.webhooks;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fixture?.stop();
  await zone?.stop();
});

describe.each(PAGES.map(({ name }) => name).filter((name) => BLOCKS.some(({ page }) => page === name)))(
  'the examples of %s',
  (name) => {
    it('work, and are answered as they are shown', async () => {
      await forgetSuppressions();
      const reader = new Reader(await idsFor(name));
      const wrong: string[] = [];
      for (const block of BLOCKS.filter(({ page }) => page === name))
        wrong.push(...(await reader.take(block)).map((problem) => `${placeOf(block)}: ${problem}`));
      expect(wrong).toEqual([]);
    }, 120_000);
  },
);

it('every page with a request was looked at', () => {
  expect(BLOCKS.filter(isRun).length).toBeGreaterThan(40);
  expect(BLOCKS.filter(({ language }) => language === 'json').length).toBeGreaterThan(50);
});

/** Each page starts with an empty list, as its reader does. */
async function forgetSuppressions(): Promise<void> {
  const all: { id: string }[] = await fixture.call('GET', '/suppressions?limit=100');
  for (const { id } of all) await fixture.call('DELETE', `/suppressions/${id}`);
}

/** What a page takes for granted that the reader has. */
async function idsFor(page: string): Promise<Record<string, string>> {
  const mail = async (email: string, more: object = {}) => ({
    ID: await fixture.send({ to: [{ email }], ...more }),
  });
  if (page === 'docs/track/events.md') {
    await mail('ada@example.org', { tags: [{ name: 'kind', value: 'receipt' }] });
    return mail('greylisted@simulator.test');
  }
  if (page === 'docs/track/explain.md') return mail('deferred@simulator.test');
  if (page === 'docs/track/proofs.md') {
    const { ID } = await mail('delivered@simulator.test');
    await capturedFrom(ID);
    return { ID };
  }
  if (page === 'docs/receive/replies.md') {
    return {
      RECEIVED_ID: await insertReadMail(fixture.server.db, {
        id: fixture.org.id,
        address: 'hello@sandbox.test',
      }),
    };
  }
  if (page === 'docs/start/quick-start.md') return mail('ada@example.org');
  if (page === 'README.md') {
    const { ID } = await mail('ada@example.org');
    return { ID, MESSAGE_ID: await capturedFrom(ID) };
  }
  if (page === 'docs/domains/rotate-dkim.md')
    return { ID: (await fixture.call('POST', '/domains', { domain: 'rotated.example.org' })).id };
  if (page === 'docs/send/tracking.md')
    return { DOMAIN_ID: (await fixture.call('POST', '/domains', { domain: 'tracked.example.org' })).id };
  if (page === 'docs/start/sandbox.md')
    return { ID: await capturedFrom((await mail('archive@example.org')).ID) };
  return {};
}

async function capturedFrom(emailId: string): Promise<string> {
  return until(async () => {
    const all: { id: string; email_id: string }[] = await fixture.call('GET', '/sandbox/messages?limit=100');
    return all.find((one) => one.email_id === emailId)?.id ?? '';
  });
}

/** Goes through a page from the top, and remembers the ids of what was answered. */
class Reader {
  readonly #ids: Record<string, string>;
  /** The block that was run last, and the answers to each of its requests. */
  #run: { readonly block: Block; readonly answers: readonly string[] } | null = null;

  constructor(ids: Record<string, string>) {
    this.#ids = ids;
  }

  async take(block: Block): Promise<string[]> {
    if (block.language === 'sh') return isRun(block) ? this.#runBlock(block) : unknownLines(block);
    return block.language === 'json' ? this.#compare(block) : [];
  }

  async #runBlock(block: Block): Promise<string[]> {
    this.#run = { block, answers: await this.#answersTo(block) };
    for (const answer of this.#run.answers) this.#remember(answer);
    const isAboutError = BLOCKS[BLOCKS.indexOf(block) + 1]?.code.includes('"error"') ?? false;
    return isAboutError ? [] : this.#run.answers.filter((answer) => /^\{"error"/.test(answer));
  }

  async #answersTo({ code }: Block): Promise<string[]> {
    const script = `curl() { command curl -sS --max-time 20 "$@"; printf '\\036'; }
      ${code
        .replaceAll('http://127.0.0.1:3000', fixture.server.url)
        .replace(/^export .*$/gm, '')
        .replaceAll('curl -N', 'curl -N --max-time 2')}`;
    const env = {
      ...{ PATH: process.env.PATH ?? '', API: `${fixture.server.url}/api/v1`, API_KEY: fixture.org.key },
      ...this.#ids,
    };
    const { stdout } = await RUN('bash', ['-c', script], { cwd: folder, env });
    const answers = stdout.split('\u001e').slice(0, -1);
    return answers.map((answer) => answer.trim().replace(/^HTTP\/[\s\S]*?\r\n\r\n/, ''));
  }

  #remember(answer: string): void {
    if (!answer.startsWith('{')) return;
    const { data } = JSON.parse(answer);
    const id = data?.id ?? data?.message_id;
    if (typeof id === 'string') this.#ids.ID = id;
    if (id?.startsWith('whk_')) this.#ids.WEBHOOK = id;
    if (id?.startsWith('imp_')) this.#ids.IMPORT ??= id;
    if (data?.batch_id) this.#ids.BATCH_ID = data.batch_id;
  }

  /** What is read may still change: it is asked for until it fits. */
  async #compare(block: Block): Promise<string[]> {
    const [kind = '', of = ''] = block.note?.split(': ') ?? [];
    const shown = block.code
      .trim()
      .split(/\n(?=\{)/)
      .map((one) => JSON.parse(one) as unknown);
    if (kind === 'shape') return shown.flatMap((one) => shapes.differencesFrom(of, one, block));
    const schema = schemaOf(kind, of);
    if (schema) return shown.flatMap((one) => shapes.differences(one, schema, block));
    const until = performance.now() + TIMEOUT_MS;
    for (;;) {
      const answers = kind === 'answers' ? [await this.#ask(of)] : (this.#run?.answers ?? []);
      const wrong = shown.flatMap((one, i) => {
        const answer = answers.at(i - shown.length) ?? '';
        return answer.startsWith('{') ? differences(one, JSON.parse(answer), block) : ['nothing answered it'];
      });
      const isRead = kind === 'answers' || !/ -d | -X /.test(this.#run?.block.code ?? '-d');
      if (wrong.length === 0 || !isRead || performance.now() > until) return wrong;
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (kind !== 'answers' && this.#run)
        this.#run = { ...this.#run, answers: await this.#answersTo(this.#run.block) };
    }
  }

  async #ask(request: string): Promise<string> {
    const [method = '', route = ''] = request.split(' ');
    const target = route.replace(/\$(\w+)/g, (_, name) => this.#ids[name] ?? '');
    if (!FOR_PEOPLE.test(target)) {
      const { body } = await fixture.server.api(method, target, undefined, fixture.org.key);
      return JSON.stringify(body);
    }
    if (!(await owner.isSignedIn())) await owner.signIn(PASSWORD);
    return JSON.stringify((await owner.api(method, target)).body);
  }
}

/** The schema that the OpenAPI document has for what a comment names. */
function schemaOf(kind: string, name: string): Schema | undefined {
  const [method = '', route = ''] = name.split(' ');
  const [path = ''] = route.split('?');
  const operation = kind === 'webhook' ? webhooks[name]?.post : paths[path]?.[method.toLowerCase()];
  const success = Object.keys(operation?.responses ?? {}).find((status) => status.startsWith('2')) ?? '';
  const described = kind === 'response' ? operation?.responses[success] : operation?.requestBody;
  if (!['response', 'body', 'webhook'].includes(kind)) return undefined;
  const schema = described?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`The OpenAPI document has no ${kind} of ${name}.`);
  return schema;
}
