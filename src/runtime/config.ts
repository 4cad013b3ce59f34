/**
 * Configuration: environment variables (and a `.env` file), parsed once.
 *
 * All problems are reported together by variable name, with what to write instead. No other module reads
 * `process.env`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type HttpsConfig, httpsConfig, trustedProxies } from './acme-config.ts';
import { type Env, Reader } from './config-reader.ts';
import { type ContentStoreConfig, contentStoreConfig } from './content-store-config.ts';
import { type DatabaseConfig, databaseConfig } from './database-config.ts';
import { type DnsConfig, dnsConfig } from './dns-config.ts';
import { SECOND_MS } from './durations.ts';
import { type IdentityConfig, identityConfig } from './identity-config.ts';
import { RefusedStart } from './refused-start.ts';
import { type FoundSecrets, readSecretFiles } from './secret-files.ts';
import { type FoundSettings, findServiceSettings } from './service-settings.ts';
import { type SmtpServersConfig, smtpServers } from './smtp-config.ts';

export const MODES = ['sandbox', 'live'] as const;
export type Mode = (typeof MODES)[number];

export interface Config extends DatabaseConfig, DnsConfig, HttpsConfig, IdentityConfig, SmtpServersConfig {
  /** The files that settings were read from, besides the environment. */
  readonly settingsFrom: readonly string[];
  /** Settings that work but that an operator should review. */
  readonly warnings: readonly string[];
  /** Every given setting by name, including secrets. */
  readonly given: Readonly<Record<string, string>>;
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly dataDir: string;
  /** For commands that call the API over HTTP. */
  readonly apiKey: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  readonly bootstrapApiKeyName: string;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  readonly secretKey: string | undefined;
  /** Additional master keys: earlier ones, and the next one. */
  readonly moreSecretKeys: readonly string[] | undefined;
  readonly mxPort: number;
  readonly allowPrivateDestinations: boolean;
  readonly ipv6: boolean;
  readonly relayUrl: string | undefined;
  /**
   * Restricts the relay to mail for these domains; `*.example.com` covers all subdomains. Undefined means all
   * mail.
   */
  readonly relayDomains: readonly string[] | undefined;
  readonly providersFile: string | undefined;
  /** Undefined when all content stays in PostgreSQL. */
  readonly contentStore: ContentStoreConfig | undefined;
  readonly workers: number;
  /** Whether the supervisor runs inbound and submission as two processes. */
  readonly separateSmtp: boolean;
  /** How long a stopping worker waits for receivers that have a message and have not replied. */
  readonly stopTimeoutMs: number;
  readonly metrics: MetricsConfig;
  /** Undefined when tracing is off. */
  readonly tracing: TracingConfig | undefined;
  readonly rateLimit: number;
  readonly dailyLimit: number;
  readonly ownersCreateOrganizations: boolean;
  readonly sandboxSpeed: number;
  readonly logLevel: string;
  /** Logs a line for every attempt, regardless of the log level. */
  readonly logAttempts: boolean;
  /** True: every direct peer is a proxy. A list: peers within these networks are. */
  readonly trustProxy: boolean | readonly string[];
  /**
   * Host names, besides our own, under which users reach the installation; `*.example.org` covers all
   * subdomains.
   */
  readonly allowedHosts: readonly string[];
}

/** Where the metrics of all roles are served, and to whom. */
interface MetricsConfig {
  readonly host: string;
  /**
   * The port of the supervisor, which gathers the metrics of its roles, or of a role that runs alone;
   * undefined when none is served.
   */
  readonly port: number | undefined;
  /** Required wherever metrics are served. */
  readonly token: string | undefined;
}

export interface TracingConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The sampled share of traces that begin here, from 0 to 1. */
  readonly ratio: number;
}

export class ConfigError extends RefusedStart {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const [only, ...more] = problems;
    super(
      more.length === 0
        ? `The configuration has a problem: ${only}`
        : `The configuration has problems:\n  ${problems.join('\n  ')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads `.env` from the working directory and secrets from their files. The environment takes precedence over
 * `.env`.
 */
export function loadConfig(env: Env = process.env, cwd: string = process.cwd()): Config {
  return configOf([readEnvFile(env, cwd)], env, cwd, false);
}

/** For commands about a remote installation: reads the same sources, for an API client. */
export function loadClientConfig(env: Env = process.env, cwd: string = process.cwd()): Config {
  return configOf([readEnvFile(env, cwd)], env, cwd, true);
}

/**
 * For commands that a user types: the installation named by the environment or the folder, or else the one of
 * this machine's service, so that the command is about the running installation. `root` is the file system
 * root, for tests.
 */
export function loadCommandConfig(
  env: Env = process.env,
  cwd: string = process.cwd(),
  root: string = '/',
): Config {
  const local = readEnvFile(env, cwd);
  const isNamed =
    NAMES_INSTALLATION.some((name) => env[name]) ||
    Object.keys(local.values).some((name) => SETTING.test(name));
  const isHere = MADE_AT_FIRST_START.some((name) => existsSync(resolve(cwd, DATA_FOLDER, name)));
  const service = isNamed || isHere ? null : findServiceSettings(root);
  return configOf(service === null ? [local] : [service, local], env, cwd, true);
}

/**
 * Any of these variables names the installation; the last one means that a service manager runs the command.
 */
const NAMES_INSTALLATION = [
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'POSTRIDER_DATA_DIR',
  'POSTRIDER_ENV_FILE',
  'CREDENTIALS_DIRECTORY',
];
const DATA_FOLDER = 'data';
const MADE_AT_FIRST_START = ['postgres.json', 'secret-key'];

function configOf(sources: readonly FoundSettings[], env: Env, cwd: string, isCommand: boolean): Config {
  const problems = sources.flatMap((one) => one.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const given: Env = Object.assign({}, ...sources.map(({ values }) => values), env);
  const { values, ...found } = readSecretFiles(given, cwd);
  const settingsFrom = sources.flatMap(({ files }) => files);
  return parseConfig({ ...given, ...values }, cwd, { ...found, settingsFrom, isCommand });
}

/** Reads `.env`, which is optional, or the file that POSTRIDER_ENV_FILE names. */
function readEnvFile(env: Env, cwd: string): FoundSettings {
  const named = env.POSTRIDER_ENV_FILE?.trim() || undefined;
  const file = resolve(cwd, named ?? '.env');
  try {
    return { values: parseEnv(readFileSync(file, 'utf8')), files: [file], problems: [] };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'ENOENT' && named === undefined) return { values: {}, files: [], problems: [] };
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    const who =
      named === undefined ? `${file}, which holds settings,` : `POSTRIDER_ENV_FILE names ${file}, which`;
    return { values: {}, files: [], problems: [`${who} ${what}.`] };
  }
}

interface FoundBefore
  extends Pick<FoundSecrets, 'problems' | 'warnings'>,
    Partial<Pick<Config, 'settingsFrom'>> {
  /** Set for a command, not for a process of the installation. */
  readonly isCommand?: boolean;
}

export function parseConfig(
  env: Env,
  cwd: string = process.cwd(),
  found: FoundBefore = { problems: [], warnings: [] },
): Config {
  const read = new Reader(env, found.problems, found.warnings);
  const port = read.integer('POSTRIDER_PORT', 3000, 0, 65_535);
  const mode = read.oneOf('POSTRIDER_MODE', MODES, 'sandbox');
  const config: Config = {
    settingsFrom: found.settingsFrom ?? [],
    warnings: read.warnings,
    given: givenSettings(env),
    mode,
    host: read.text('POSTRIDER_HOST') ?? '127.0.0.1',
    port,
    publicUrl: publicUrl(read, port),
    dataDir: resolve(cwd, read.text('POSTRIDER_DATA_DIR') ?? DATA_FOLDER),
    ...databaseConfig(read),
    ...apiKeys(read, found.isCommand === true),
    ...secrets(read),
    ...identityConfig(read),
    ...dnsConfig(read),
    mxPort: read.integer('POSTRIDER_MX_PORT', 25, 1, 65_535),
    ipv6: read.boolean('POSTRIDER_IPV6', false),
    relayUrl: read.url('POSTRIDER_RELAY_URL', ['smtp:', 'smtps:']),
    relayDomains: read.domains('POSTRIDER_RELAY_DOMAINS'),
    providersFile: read.text('POSTRIDER_PROVIDERS_FILE'),
    contentStore: contentStoreConfig(read),
    workers: read.integer('POSTRIDER_WORKERS', 1, 1, 64),
    separateSmtp: read.boolean('POSTRIDER_SEPARATE_SMTP', false),
    stopTimeoutMs:
      read.integer('POSTRIDER_STOP_TIMEOUT', MAX_STOP_TIMEOUT_S, 0, MAX_STOP_TIMEOUT_S) * SECOND_MS,
    metrics: metricsConfig(read),
    tracing: tracingConfig(read),
    ...serversConfig(read, mode),
    rateLimit: read.integer('POSTRIDER_RATE_LIMIT', 6000, 1, 10_000_000),
    dailyLimit: read.integer('POSTRIDER_DAILY_LIMIT', 0, 0, 2_000_000_000),
    ownersCreateOrganizations: read.boolean('POSTRIDER_OWNERS_CREATE_ORGANIZATIONS', false),
    sandboxSpeed: read.integer('POSTRIDER_SANDBOX_SPEED', 1, 1, 100_000),
    logLevel: read.oneOf('POSTRIDER_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    logAttempts: read.boolean('POSTRIDER_LOG_ATTEMPTS', false),
    allowedHosts: read.hosts('POSTRIDER_ALLOWED_HOSTS'),
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

/** The servers besides POSTRIDER_PORT. */
function serversConfig(
  read: Reader,
  mode: Mode,
): HttpsConfig & SmtpServersConfig & Pick<Config, 'allowPrivateDestinations' | 'trustProxy'> {
  const allowPrivateDestinations = read.boolean('POSTRIDER_ALLOW_PRIVATE_DESTINATIONS', false);
  const https = httpsConfig(read, allowPrivateDestinations);
  const smtp = smtpServers(read, mode === 'live', https.acme !== undefined);
  return { allowPrivateDestinations, ...https, ...smtp, trustProxy: trustedProxies(read, https.https) };
}

function givenSettings(env: Env): Record<string, string> {
  const all = Object.entries(env).map(([name, value = '']) => [name, value.trim()] as const);
  return Object.fromEntries(all.filter(([name, value]) => SETTING.test(name) && value !== ''));
}

/** A command may call the API with another key than that of the first organization. */
function apiKeys(
  read: Reader,
  isCommand: boolean,
): Pick<Config, 'apiKey' | 'bootstrapApiKey' | 'bootstrapApiKeyName'> {
  const key = (name: string) => read.matching(name, API_KEY, '20 to 128 characters of A-Z a-z 0-9 _ -');
  if (!isCommand) read.renamed(BOOTSTRAP_KEY, CLIENT_KEY);
  const apiKey = key(CLIENT_KEY);
  return read.text(BOOTSTRAP_KEY) === undefined && apiKey !== undefined
    ? { apiKey, bootstrapApiKey: apiKey, bootstrapApiKeyName: CLIENT_KEY }
    : { apiKey, bootstrapApiKey: key(BOOTSTRAP_KEY), bootstrapApiKeyName: BOOTSTRAP_KEY };
}

const BOOTSTRAP_KEY = 'POSTRIDER_BOOTSTRAP_API_KEY';
const CLIENT_KEY = 'POSTRIDER_API_KEY';

function secrets(
  read: Reader,
): Pick<Config, 'adminEmail' | 'adminPassword' | 'secretKey' | 'moreSecretKeys'> {
  return {
    adminEmail: read.text('POSTRIDER_ADMIN_EMAIL'),
    adminPassword: read.text('POSTRIDER_ADMIN_PASSWORD'),
    secretKey: read.matching('POSTRIDER_SECRET_KEY', /^.{32,}$/, 'at least 32 characters'),
    moreSecretKeys: read.keys('POSTRIDER_MORE_SECRET_KEYS'),
  };
}

function publicUrl(read: Reader, port: number): string {
  const given = read.url('POSTRIDER_PUBLIC_URL', ['http:', 'https:']);
  return (given ?? `http://localhost:${port}`).replace(/\/+$/, '');
}

function metricsConfig(read: Reader): MetricsConfig {
  return {
    host: read.text('POSTRIDER_METRICS_HOST') ?? '127.0.0.1',
    port: read.optionalInteger('POSTRIDER_METRICS_PORT', 0, 65_535),
    token: read.matching(
      'POSTRIDER_METRICS_TOKEN',
      /^[A-Za-z0-9._~+/=-]{16,512}$/,
      '16 to 512 characters of A-Z a-z 0-9 . _ ~ + / = -',
    ),
  };
}

function tracingConfig(read: Reader): TracingConfig | undefined {
  const url = read.url('POSTRIDER_TRACES_URL', ['http:', 'https:']);
  const ratio = read.matching('POSTRIDER_TRACES_RATIO', RATIO, 'a number from 0 to 1, such as 0.05');
  const headers = read.headers('POSTRIDER_TRACES_HEADERS');
  return url === undefined ? undefined : { url, headers, ratio: Number(ratio ?? 1) };
}

/**
 * Matches the time a receiver may take to answer a final dot (protocols/smtp/deadlines.ts); a longer wait has
 * no effect.
 */
const MAX_STOP_TIMEOUT_S = 600;
const RATIO = /^(0?\.\d+|0|1(\.0+)?)$/;
const SETTING = /^(POSTRIDER_[A-Z0-9_]+|DATABASE_(READ_|DIRECT_)?URL(_FILE)?)$/;

const API_KEY = /^[A-Za-z0-9_-]{20,128}$/;

/** The factor by which retries and lifetimes run faster than real time. Always 1 outside the sandbox. */
export function retrySpeed(config: Config): number {
  return config.mode === 'sandbox' ? config.sandboxSpeed : 1;
}
