/** An organization of a remote installation, over HTTP with one of its API keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import { visiblePrefix } from '../../accounts/api-keys/secret.ts';
import { CliError } from '../command.ts';
import type { EntryFields, EntryKind } from './entry.ts';
import type {
  AppliedStream,
  DomainShown,
  KeyShown,
  MadeEntry,
  OrganizationApi,
  TemplateShown,
  WebhookShown,
} from './organization-api.ts';

/** Creating a DKIM key may take a while. */
const ANSWER_WITHIN_MS = 60_000;
const MAX_WAITS = 10;
const LONGEST_WAIT_S = 60;
const PER_PAGE = 100;

const PATHS = {
  setting: '/settings',
  domain: '/domains',
  key: '/api-keys',
  stream: '/streams',
  webhook: '/webhooks',
  template: '/templates',
} as const satisfies Record<EntryKind, string>;

interface RemotePlace {
  readonly url: string;
  readonly apiKey: string;
  readonly enough: AbortSignal;
}

export function httpApi(place: RemotePlace): OrganizationApi {
  const ask = <T>(method: string, path: string, body?: EntryFields) => answerOf<T>(place, method, path, body);
  const data = async <T>(method: string, path: string, body?: EntryFields) =>
    (await ask<{ data: T }>(method, path, body)).data;
  const all = <T extends { readonly id: string }>(path: string) => allPages<T>((at) => ask('GET', path + at));
  const template = (id: string) => data<TemplateDetail>('GET', `${PATHS.template}/${id}`);
  return {
    ownKeyPrefix: visiblePrefix(place.apiKey),
    domains: () => data<DomainShown[]>('GET', PATHS.domain),
    keys: () => all<KeyShown>(`${PATHS.key}?`),
    streams: () => data<AppliedStream[]>('GET', PATHS.stream),
    webhooks: () => data<WebhookShown[]>('GET', PATHS.webhook),
    templates: () => all<TemplateShown>(`${PATHS.template}?is_active=true&`),
    setting: (name) => data<EntryFields>('GET', `${PATHS.setting}/${name}`),
    lastSentFrom: async (domain) => {
      const query = `from=${encodeURIComponent(`@${domain}`)}&limit=1`;
      const [newest] = await data<{ created_at: string }[]>('GET', `/emails?${query}`);
      return newest === undefined ? null : new Date(newest.created_at);
    },
    wasSentIn: async (stream) => {
      const { groups } = await data<{ groups: { name: string }[] }>(
        'GET',
        '/stats/deliverability?by=stream&range=30d',
      );
      return groups.some(({ name }) => name === stream);
    },
    sendsOfTemplate: async (id) => (await template(id)).usage.sends_last_30_days,
    sampleOfTemplate: async (id) => (await template(id)).sample_data ?? null,
    create: async (kind, body) => madeOf(await data<Answered>('POST', PATHS[kind], body)),
    change: async (kind, id, body) => {
      const path = `${PATHS[kind]}/${id}${kind === 'domain' ? '/tracking' : ''}`;
      await ask(kind === 'webhook' || kind === 'stream' ? 'PATCH' : 'PUT', path, body);
    },
    saveDraft: async (id, body) => {
      await ask('PUT', `${PATHS.template}/${id}/draft`, body);
    },
    remove: async (kind, id) => {
      await ask('DELETE', `${PATHS[kind]}/${id}`);
    },
  };
}

interface TemplateDetail {
  readonly usage: { readonly sends_last_30_days: number };
  /** Older servers omit the field. */
  readonly sample_data?: EntryFields | null;
}

/** The organization of the key. */
export async function remoteOrganization(place: RemotePlace) {
  const { data } = await answerOf<{ data: { id: string; name: string } }>(place, 'GET', '/organization');
  return { id: data.id, name: data.name, daily_limit: 0 };
}

interface Answered {
  /** Missing for streams, which only have a name. */
  readonly id?: string;
  readonly name?: string;
  readonly key?: string;
  readonly secret?: string;
  readonly dns_records?: NonNullable<MadeEntry['records']>;
}

function madeOf({ name = '', id = name, key, secret = key, dns_records: records }: Answered): MadeEntry {
  return { id, ...(secret === undefined ? {} : { secret }), ...(records === undefined ? {} : { records }) };
}

interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly total_count: number };
}

/** Removes duplicates: an entry may appear on two pages when others are added meanwhile. */
async function allPages<T extends { readonly id: string }>(
  ask: (at: string) => Promise<Page<T>>,
): Promise<T[]> {
  const found = new Map<string, T>();
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await ask(`page=${page}&limit=${PER_PAGE}`);
    for (const one of data) found.set(one.id, one);
    if (data.length === 0 || page * PER_PAGE >= pagination.total_count) return [...found.values()];
  }
}

/**
 * Waits when the server says so. A request without a response is not repeated, because it may have taken
 * effect.
 */
async function answerOf<T>(place: RemotePlace, method: string, path: string, body?: EntryFields): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    const response = await send(place, method, path, body);
    const answer = await jsonOf(response, place);
    if (response.ok) return answer as T;
    const busy = response.status === 429 || (response.status === 503 && isSafe(method));
    if (!busy || waits >= MAX_WAITS) throw refusalIn(answer, response, place);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await sleep(Math.min(seconds || 1, LONGEST_WAIT_S) * 1_000, undefined, { signal: place.enough });
  }
}

async function send(
  { url, apiKey, enough }: RemotePlace,
  method: string,
  path: string,
  body: EntryFields | undefined,
): Promise<Response> {
  try {
    return await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The key must not be sent to another host.
      redirect: 'manual',
      signal: AbortSignal.any([enough, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
  } catch (error) {
    throw new CliError(`${url} gave no answer: ${whyOf(error)}.${isSafe(method) ? '' : UNKNOWN}`);
  }
}

const UNKNOWN = ' Whether this one was done is not known.';

function isSafe(method: string): boolean {
  return method === 'GET';
}

function whyOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

async function jsonOf(response: Response, { url }: RemotePlace): Promise<unknown> {
  const location = response.headers.get('location');
  if (location !== null && response.status >= 300 && response.status < 400)
    throw new CliError(`${url} redirects to ${location}. Set --url to the address where Postrider answers.`);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${url} answered ${response.status}, but not as Postrider does. Check --url.`);
  }
}

interface Envelope {
  readonly error?: {
    readonly message?: string;
    readonly details?: readonly { readonly field: string; readonly message: string }[];
  };
}

function refusalIn(answer: unknown, { status }: Response, { url }: RemotePlace): CliError {
  const { message = `${url} answered ${status}.`, details = [] } = (answer as Envelope | null)?.error ?? {};
  if (details.length > 0)
    return new CliError(details.map((one) => `${one.field}: ${one.message}`).join(', '));
  return new CliError(
    status === 401 ? `${message} Set POSTRIDER_API_KEY to a key of the organization.` : message,
  );
}
