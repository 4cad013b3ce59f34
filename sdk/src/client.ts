/** The client: its settings, and the API's resources as its fields. */
import type { Answer, Body, Data, Input, OperationName, SendOptions } from './operation.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { Approvals } from './resources/approvals.ts';
import { AuditLog } from './resources/audit-log.ts';
import { Auth } from './resources/auth.ts';
import { Doctor } from './resources/doctor.ts';
import { Domains } from './resources/domains.ts';
import { Emails } from './resources/emails.ts';
import { Events } from './resources/events.ts';
import { FeedbackLoops } from './resources/feedback-loops.ts';
import { Holds } from './resources/holds.ts';
import { Inbound } from './resources/inbound.ts';
import { Invites } from './resources/invites.ts';
import { Members } from './resources/members.ts';
import { CurrentOrganization } from './resources/organization.ts';
import { Recipients } from './resources/recipients.ts';
import { RequestLogs } from './resources/request-logs.ts';
import { Routes } from './resources/routes.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Search } from './resources/search.ts';
import { Settings } from './resources/settings.ts';
import { Sites } from './resources/sites.ts';
import { Stats } from './resources/stats.ts';
import { Streams } from './resources/streams.ts';
import { Suppressions } from './resources/suppressions.ts';
import { Templates } from './resources/templates.ts';
import { Undos } from './resources/undos.ts';
import { Validation } from './resources/validation.ts';
import { Views } from './resources/views.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type Fetch, Transport, type TransportSettings } from './transport.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 2;

export interface PostriderOptions {
  /** API key. Starts with `pr_`. Omit it if a session cookie identifies the caller. */
  readonly apiKey?: string | undefined;
  /** URL of the installation, such as `https://mail.example.org`. In a browser, the default is the origin of the page. */
  readonly baseUrl?: string | undefined;
  /** Replaces the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined;
  /** `same-origin` or `include` sends the session cookie. */
  readonly credentials?: RequestInit['credentials'] | undefined;
  /** Maximum number of retries of a failed request. The default is 2. */
  readonly maxRetries?: number | undefined;
  /** Timeout of each attempt in milliseconds. The default is 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An organization for one test run, with a client for it. */
export interface ThrowAway extends Omit<Data<'POST /sandbox/organizations'>, 'api_key'> {
  readonly client: Postrider;
  /** API key for the application under test. */
  readonly apiKey: string;
  /** Deletes the organization. Otherwise it is deleted automatically when its time is over. */
  delete(): Promise<void>;
}

export class Postrider {
  readonly emails: Emails;
  readonly domains: Domains;
  readonly recipients: Recipients;
  readonly templates: Templates;
  readonly suppressions: Suppressions;
  readonly validation: Validation;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly apiKeys: ApiKeys;
  readonly settings: Settings;
  readonly organization: CurrentOrganization;
  readonly sandbox: Sandbox;
  readonly auth: Auth;
  readonly members: Members;
  readonly invites: Invites;
  readonly auditLog: AuditLog;
  readonly requestLogs: RequestLogs;
  readonly search: Search;
  readonly stats: Stats;
  readonly feedbackLoops: FeedbackLoops;
  readonly inbound: Inbound;
  readonly sites: Sites;
  readonly routes: Routes;
  readonly streams: Streams;
  readonly views: Views;
  readonly doctor: Doctor;
  readonly approvals: Approvals;
  readonly holds: Holds;
  readonly undos: Undos;
  readonly #transport: Transport;
  readonly #options: PostriderOptions;

  constructor(options: PostriderOptions = {}) {
    const transport = new Transport(settingsOf(options));
    this.#transport = transport;
    this.#options = options;
    this.emails = new Emails(transport);
    this.domains = new Domains(transport);
    this.recipients = new Recipients(transport);
    this.templates = new Templates(transport);
    this.suppressions = new Suppressions(transport);
    this.validation = new Validation(transport);
    this.webhooks = new Webhooks(transport);
    this.events = new Events(transport);
    this.apiKeys = new ApiKeys(transport);
    this.settings = new Settings(transport);
    this.organization = new CurrentOrganization(transport);
    this.sandbox = new Sandbox(transport);
    this.search = new Search(transport);
    this.stats = new Stats(transport);
    this.feedbackLoops = new FeedbackLoops(transport);
    this.inbound = new Inbound(transport);
    this.sites = new Sites(transport);
    this.routes = new Routes(transport);
    this.streams = new Streams(transport);
    this.views = new Views(transport);
    this.doctor = new Doctor(transport);
    this.approvals = new Approvals(transport);
    this.holds = new Holds(transport);
    this.undos = new Undos(transport);
    this.requestLogs = new RequestLogs(transport);
    this.auditLog = new AuditLog(transport);
    this.invites = new Invites(transport);
    this.members = new Members(transport);
    this.auth = new Auth(transport);
  }

  /** Creates an organization with its own inbox, templates, suppressions and webhooks. Sandbox only. */
  async throwAway(body: Body<'POST /sandbox/organizations'> = {}): Promise<ThrowAway> {
    const { api_key: apiKey, ...made } = await this.sandbox.createOrganization(body);
    const client = new Postrider({ ...this.#options, apiKey });
    const end = async () => void (await client.sandbox.deleteOrganization());
    return { ...made, client, apiKey, delete: end };
  }

  /** Calls any operation of the API by its name: `request('GET /emails/{id}', { params: { id } })`. */
  request<K extends OperationName>(operation: K, input: Input<K>, options?: SendOptions): Promise<Answer<K>> {
    return this.#transport.answer(operation, input, options);
  }
}

function settingsOf(options: PostriderOptions): TransportSettings {
  const { apiKey, credentials, maxRetries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return {
    baseUrl: apiUrl(options.baseUrl),
    headers: { ...options.headers, ...authorization(apiKey) },
    // Looked up at every call, and called without `this`, for runtimes that require that and for tools that replace fetch.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    credentials,
    maxRetries,
    timeoutMs,
  };
}

function apiUrl(baseUrl: string | undefined): string {
  const inPage = (globalThis as { location?: unknown }).location !== undefined;
  if (baseUrl === undefined && !inPage)
    throw new TypeError('Say where Postrider runs: new Postrider({ baseUrl: "https://…" }).');
  const address = (baseUrl ?? '').replace(/\/+$/, '');
  if (address !== '' && !/^(https?:\/\/[^/]|\/)/.test(address))
    throw new TypeError(`baseUrl must begin with http:// or https://, and is ${JSON.stringify(baseUrl)}.`);
  return /\/v1$/.test(address) ? address : `${address}/api/v1`;
}

/** Removes the line end that a key from a file often has, because a header cannot contain it. */
function authorization(apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(apiKey.trim())) throw new TypeError('apiKey is empty, or is no API key.');
  return { authorization: `Bearer ${apiKey.trim()}` };
}
