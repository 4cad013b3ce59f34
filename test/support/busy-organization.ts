/** An organization with one of each kind of resource that requests can create. */
import type { Answer, TestApi, TestOrganization } from './api.ts';
import { letter } from './emails.ts';
import { until } from './until.ts';

const MADE: readonly (readonly [path: string, body: object])[] = [
  ['/templates', { name: 'Receipt', alias: 'receipt', subject: 'Hi {{ name }}', text: 'Hello {{ name }}' }],
  ['/suppressions', { email: 'gone@example.org', reason: 'manual' }],
  ['/suppressions/import', { suppressions: [{ email: 'grace@example.org' }, { email: 'bob@example.org' }] }],
  ['/streams', { name: 'receipts' }],
  ['/holds', { scope: 'tag', value: 'later', ahead: true, reason: 'Not yet' }],
  ['/undos', { from: '2026-11-10T09:00:00Z', to: '2026-11-10T10:00:00Z', reason: 'A bad hour' }],
  ['/domains', { domain: 'other.example.org' }],
  ['/emails/validate', { email: 'ada@example.org' }],
];

export async function makeBusy(api: TestApi, org: TestOrganization, webhook: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, body] of [...MADE, ['/webhooks', { url: webhook }] as const]) {
    const { status, body: answer } = await persistently(() => api.api('POST', path, body, org.key));
    if (status >= 300) problems.push(`${path}: ${JSON.stringify(answer)}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const file = { filename: 'a.txt', content: 'SGVsbG8=', content_type: 'text/plain' };
  const letters = [
    letter(org),
    letter(org, {
      attachments: [file],
      metadata: { order: '7' },
      tags: [{ name: 'kind', value: 'receipt' }],
    }),
    letter(org, { to: [{ email: 'bounce@simulator.test' }] }),
    letter(org, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() }),
    letter(org, { tags: [{ name: 'later', value: 'yes' }] }),
    letter(org, { stream: 'receipts', track_opens: true, html: '<p>Hi</p>' }),
  ];
  const ids: string[] = [];
  for (const one of letters) ids.push(await sendOnce(api, org, one));
  return ids;
}

/** Retries on 503 like a client, while the cell of an organization is unknown. */
export function persistently(ask: () => Promise<Answer>): Promise<Answer> {
  return until(ask, ({ status }) => status !== 503);
}

async function sendOnce(api: TestApi, org: TestOrganization, body: object): Promise<string> {
  const { status, body: answer } = await persistently(() => api.api('POST', '/emails/send', body, org.key));
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data.message_id;
}

/** Routes whose answers depend on the installation, the time or the request itself. */
const OF_NOW =
  /^\/(?:health|ready|openapi|status|auth|queue|sites|stats\/workers|request-logs|doctor|events\/stream|sandbox\/messages\/latest|routes|version)/;

/** Lists that grow with time or with each request. */
const GROWING: ReadonlySet<string> = new Set([
  'last_30_days',
  'last_used_at',
  'from',
  'to',
  'oldest_due_seconds',
]);

function withoutTime(name: string, value: unknown): unknown {
  return GROWING.has(name) && typeof value !== 'object'
    ? undefined
    : name === 'last_30_days'
      ? undefined
      : value;
}

/** The answers of all reading requests: of every list and of each email. */
export async function readAll(
  api: TestApi,
  org: TestOrganization,
  ids: readonly string[],
): Promise<Record<string, unknown>> {
  const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const lists = Object.keys(paths)
    .map((path) => path.replace(/^\/api\/v1/, ''))
    .filter(
      (path, i) => 'get' in (Object.values(paths)[i] ?? {}) && !path.includes('{') && !OF_NOW.test(path),
    );
  const answers: Record<string, unknown> = {};
  for (const path of [...lists, ...ids.map((id) => `/emails/${id}`)]) {
    const { status, body } = await persistently(() => api.api('GET', path, undefined, org.key));
    if (status === 200) answers[path] = JSON.parse(JSON.stringify(body, withoutTime));
  }
  return answers;
}
