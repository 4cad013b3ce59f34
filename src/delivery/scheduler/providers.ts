/**
 * Profiles of large receivers: how many connections each accepts, how many messages per connection, whether it always offers
 * TLS. Receivers are recognised by the names of their mail hosts and never by the recipient's domain, because most of the
 * domains they host belong to customers. The first profile that matches every host of a domain applies.
 *
 * The owner of a domain chooses the names in its MX records, and a provider has many hosts that accept no mail. So a host
 * belongs to a provider only if it equals a name of the provider's MX hosts or is below one: an MX record with `www.google.com`
 * is a mistake or an attack, and says nothing about mail at Google. The domains of a host name that is missing here only lose
 * the shared limits.
 *
 * `scope` defines what shares the limits. `provider`: all domains of the provider. `mx`: domains with the same mail hosts, for
 * providers that give each customer or region hosts of its own.
 *
 * An operator can add or replace profiles with a JSON file (POSTRIDER_PROVIDERS_FILE): a list of objects of this shape, compared
 * before the shipped ones. A profile with the name of a shipped profile replaces it and inherits the fields that it omits.
 */
import { readFileSync } from 'node:fs';

export interface Suspension {
  /** Matched in the text of a reply. */
  readonly text: RegExp;
  readonly minutes: number;
}

export interface ProviderProfile {
  readonly name: string;
  /** Host names that end in one of these, at a dot. */
  readonly hosts: readonly string[];
  readonly scope: 'provider' | 'mx';
  readonly connections: number;
  readonly messagesPerConnection: number;
  readonly requireTls: boolean;
  /** Replies after which to send nothing at all for a while. */
  readonly suspensions: readonly Suspension[];
}

export const DEFAULT_PROFILE: ProviderProfile = {
  name: 'other',
  hosts: [],
  scope: 'mx',
  connections: 10,
  messagesPerConnection: 100,
  requireTls: false,
  suspensions: [],
};

const YAHOO_SUSPENSIONS: readonly Suspension[] = [{ text: /\[TSS04\]/, minutes: 120 }];

/** `aspmx.l.google.com` also matches its subdomains, such as `alt1.aspmx.l.google.com`. */
const GOOGLE_HOSTS = [
  'smtp.google.com',
  'aspmx.l.google.com',
  'gmail-smtp-in.l.google.com',
  'gmr-smtp-in.l.google.com',
  'aspmx2.googlemail.com',
  'aspmx3.googlemail.com',
  'aspmx4.googlemail.com',
  'aspmx5.googlemail.com',
];

/*
 * The names were last compared with published sources, not with live DNS, on 2026-11-15. The sources are setup guides for customers (Google
 * Workspace, Microsoft 365 with both endings, iCloud, Mimecast). For receivers without such guides (Gmail, outlook.com, Yahoo
 * and AOL, Comcast, Orange) they are published lookups, zone files and bounce logs that agree with each other. Names without a
 * source were removed.
 */

/** Comcast has renamed its hosts more than once. All these names are still in use. */
const COMCAST_HOSTS = [
  'mxge.comcast.net',
  ...['mx1', 'mx2', 'mx1a1', 'mx2a1'].map((host) => `${host}.comcast.net`),
];

export const PROVIDER_PROFILES: readonly ProviderProfile[] = [
  provider('google', GOOGLE_HOSTS, 5, 50, { requireTls: true }),
  provider('microsoft-consumer', ['olc.protection.outlook.com'], 5, 50),
  provider('microsoft', ['mail.protection.outlook.com', 'mx.microsoft'], 5, 50, { scope: 'mx' }),
  provider('yahoo', ['am0.yahoodns.net', 'mail.gm0.yahoodns.net'], 10, 20, {
    suspensions: YAHOO_SUSPENSIONS,
  }),
  provider('apple', ['mail.icloud.com'], 10, 5),
  provider('comcast', COMCAST_HOSTS, 25, 1000, { requireTls: true }),
  provider('mimecast', ['mimecast.com', 'mimecast.co.za'], 10, 100, { scope: 'mx' }),
  provider('orange', ['smtp-in.orange.fr'], 2, 100),
];

function provider(
  name: string,
  hosts: readonly string[],
  connections: number,
  messagesPerConnection: number,
  more: Partial<Pick<ProviderProfile, 'scope' | 'requireTls' | 'suspensions'>> = {},
): ProviderProfile {
  const limits = { connections, messagesPerConnection };
  return { ...DEFAULT_PROFILE, scope: 'provider', name, hosts, ...limits, ...more };
}

/** The profile of the provider that all these mail hosts belong to. */
export function profileOf(hosts: readonly string[], profiles: readonly ProviderProfile[]): ProviderProfile {
  const fits = (profile: ProviderProfile) => hosts.every((host) => belongsTo(host, profile.hosts));
  return profiles.find(fits) ?? profiles.find((one) => one.name === DEFAULT_PROFILE.name) ?? DEFAULT_PROFILE;
}

function belongsTo(host: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** The profiles of the file, if there is one, then the shipped profiles. Throws an error that names the problem in the file. */
export function loadProfiles(file: string | undefined): readonly ProviderProfile[] {
  if (file === undefined) return PROVIDER_PROFILES;
  try {
    return withOverrides(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} cannot be used for providers: ${(error as Error).message}`);
  }
}

export function withOverrides(given: unknown): readonly ProviderProfile[] {
  if (!Array.isArray(given)) throw new Error('it must be a list of providers.');
  const own = given.map((one, index) => parseProfile(one, `entry ${index + 1}`));
  const names = new Set(own.map((one) => one.name));
  return [...own, ...PROVIDER_PROFILES.filter((one) => !names.has(one.name))];
}

type Check = (value: unknown) => unknown;

const MAX_CONNECTIONS = 1_000;
const MAX_MESSAGES = 1_000_000;

/** For each field, `check` returns the value to store, or undefined for an invalid value. */
const FIELDS: Readonly<Record<keyof ProviderProfile, { readonly check: Check; readonly wants: string }>> = {
  name: { check: (value) => matching(value, /^[a-z0-9-]{1,40}$/), wants: 'lower-case letters, digits and -' },
  hosts: { check: hostSuffixes, wants: 'a list of host name endings such as "mail.example.net"' },
  scope: { check: (value) => matching(value, /^(provider|mx)$/), wants: '"provider" or "mx"' },
  connections: { check: (value) => integer(value, MAX_CONNECTIONS), wants: `1 to ${MAX_CONNECTIONS}` },
  messagesPerConnection: { check: (value) => integer(value, MAX_MESSAGES), wants: `1 to ${MAX_MESSAGES}` },
  requireTls: {
    check: (value) => (typeof value === 'boolean' ? value : undefined),
    wants: 'true or false',
  },
  suspensions: {
    check: suspensions,
    wants: 'a list of {"text": part of a reply, "minutes": 1 to 10080}',
  },
};

function parseProfile(given: unknown, where: string): ProviderProfile {
  if (typeof given !== 'object' || given === null) throw new Error(`${where} is not an object.`);
  const parsed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const rule = FIELDS[field as keyof ProviderProfile];
    if (rule === undefined) throw new Error(`${where} has an unknown field ${JSON.stringify(field)}.`);
    parsed[field] = rule.check(value);
    if (parsed[field] === undefined) throw new Error(`${where}: ${field} must be ${rule.wants}.`);
  }
  if (parsed.name === undefined) throw new Error(`${where} has no name.`);
  const shipped = PROVIDER_PROFILES.find((one) => one.name === parsed.name);
  if (shipped === undefined && parsed.hosts === undefined && parsed.name !== DEFAULT_PROFILE.name) {
    throw new Error(`${where} has no hosts.`);
  }
  return { ...(shipped ?? DEFAULT_PROFILE), ...parsed };
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function integer(value: unknown, max: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max
    ? (value as number)
    : undefined;
}

function hostSuffixes(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = value.map((one) => matching(one, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i)?.toLowerCase());
  return names.every((one) => one !== undefined) ? names : undefined;
}

/** The text is matched literally, because a regular expression from a file could run without bound. */
function suspensions(value: unknown): Suspension[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const MAX_MINUTES = 7 * 24 * 60;
  const parsed = value.map((one: { text?: unknown; minutes?: unknown } | null) => {
    const text = matching(one?.text, /^.{1,200}$/);
    const minutes = integer(one?.minutes, MAX_MINUTES);
    if (text === undefined || minutes === undefined) return undefined;
    return { text: new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')), minutes };
  });
  return parsed.every((one) => one !== undefined) ? parsed : undefined;
}
