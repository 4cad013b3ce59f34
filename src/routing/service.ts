/** Lets operators read the route table, and replace it as a whole. */
import { isIP } from 'node:net';
import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';
import { parseRelay } from '../protocols/smtp/relay-url.ts';
import { Problems } from '../runtime/problems.ts';
import type { SealedBox } from '../runtime/sealed-box.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { utcDay } from '../runtime/timestamp.ts';
import { canaryProblems, parseWantedCanary, type WantedCanary } from './canary/service.ts';
import { lockTable, putTable, readStoredTable, type StoredTable, type StoredTransport } from './store.ts';
import { DEFAULT_TRANSPORT, type Match, type Rule, type SourceAddress, type Transport } from './table.ts';
import { DEFAULT_CURVE, DEFAULT_CURVES, type WarmUp } from './warm-up.ts';

export interface RoutingDeps {
  readonly db: Database;
  readonly box: SealedBox;
  /** The known providers of recipients' mail hosts. */
  readonly providers: readonly string[];
}

type WantedSource = Pick<SourceAddress, 'address'> &
  Partial<Omit<SourceAddress, 'warm_up'>> & {
    readonly warm_up?: (Pick<WarmUp, 'since'> & Partial<WarmUp>) | null | undefined;
  };

export type WantedTransport =
  | { readonly kind: 'direct'; readonly name: string; readonly sources: readonly WantedSource[] }
  | {
      readonly kind: 'relay';
      readonly name: string;
      readonly url: string;
      /** If omitted, the stored password stays. */
      readonly password?: string | undefined;
      readonly connections?: number | undefined;
      readonly messages_per_minute?: number | null | undefined;
    };

interface WantedRule {
  readonly name?: string | null | undefined;
  readonly match?: Match | undefined;
  readonly steps: readonly {
    readonly choices: readonly { readonly transport: string; readonly weight?: number | undefined }[];
  }[];
  readonly canary?: WantedCanary | null | undefined;
}

export interface WantedTable {
  /** The version that the operator read. */
  readonly version: number;
  readonly transports: readonly WantedTransport[];
  readonly rules: readonly WantedRule[];
}

const DEFAULT_RELAY_CONNECTIONS = 20;

/** Two concurrent editors cannot overwrite each other: the second is told to read the table again. */
export async function replaceTable(deps: RoutingDeps, wanted: WantedTable): Promise<StoredTable> {
  const problems = await problemsOf(deps, wanted);
  await deps.db.transaction(async (tx) => {
    const version = await lockTable(tx);
    if (version !== wanted.version) throw new ServiceError('CONFLICT', changedMeanwhile(version, wanted));
    const { transports, rules } = after(await readStoredTable(tx), wanted, deps.box, problems);
    problems.throwIfAny();
    await putTable(tx, transports, rules);
  });
  return readStoredTable(deps.db);
}

/** The current table, and the table it would become. Throws the same errors as replacing it. */
export async function previewTable(
  deps: RoutingDeps,
  wanted: Omit<WantedTable, 'version'>,
): Promise<{ readonly before: StoredTable; readonly after: StoredTable }> {
  const problems = await problemsOf(deps, wanted);
  const before = await readStoredTable(deps.db);
  const table = after(before, wanted, deps.box, problems);
  problems.throwIfAny();
  return { before, after: table };
}

async function problemsOf(
  { db, providers }: RoutingDeps,
  wanted: Omit<WantedTable, 'version'>,
): Promise<Problems> {
  const problems = new Problems();
  checkNames(wanted, providers, problems);
  await checkOrganizations(db, wanted.rules, problems);
  return problems;
}

function after(
  before: StoredTable,
  wanted: Omit<WantedTable, 'version'>,
  box: SealedBox,
  problems: Problems,
): StoredTable {
  return {
    version: before.version + 1,
    rules: wanted.rules.map((rule, index) => toRule(rule, `rules[${index}]`, problems)),
    transports: wanted.transports.map((one, index) =>
      toStored(one, before, box, `transports[${index}]`, problems),
    ),
  };
}

function changedMeanwhile(version: number, wanted: WantedTable): string {
  return `The route table has changed: it is at version ${version}, and your change is based on version ${wanted.version}. Read the table again (GET /routes), and repeat your change.`;
}

/** `user@host:port` of a relay: a password is valid only for this combination. */
function accountOf(url: string): string {
  const { host, port, auth } = parseRelay(url);
  return `${auth?.user ?? ''}@${host}:${port}`;
}

function toStored(
  wanted: WantedTransport,
  before: StoredTable,
  box: SealedBox,
  field: string,
  problems: Problems,
): StoredTransport {
  if (wanted.kind === 'direct') return { transport: toDirect(wanted, field, problems), sealedPassword: null };
  const { name, url, password, connections = DEFAULT_RELAY_CONNECTIONS } = wanted;
  const messages_per_minute = wanted.messages_per_minute ?? null;
  const transport: Transport = { kind: 'relay', name, url, connections, messages_per_minute };
  return { transport, sealedPassword: passwordOf({ name, url, password }, before, box, field, problems) };
}

function passwordOf(
  { name, url, password }: { name: string; url: string; password: string | undefined },
  before: StoredTable,
  box: SealedBox,
  field: string,
  problems: Problems,
): Buffer | null {
  const account = relayProblem(url);
  if (account !== null) {
    problems.add(`${field}.url`, account);
    return null;
  }
  const hasUser = new URL(url).username !== '';
  if (!hasUser && password !== undefined)
    problems.add(`${field}.password`, 'needs a user: name the user in the URL, smtp://user@host:587.');
  if (!hasUser) return null;
  if (password !== undefined) return box.seal(name, Buffer.from(password));
  const known = before.transports.find(({ transport }) => transport.name === name);
  const isSame = known?.transport.kind === 'relay' && accountOf(known.transport.url) === accountOf(url);
  if (isSame && known.sealedPassword !== null) return known.sealedPassword;
  problems.add(
    `${field}.password`,
    known === undefined
      ? 'is needed: the URL names a user.'
      : 'must be given again: the stored one is for another host or user.',
  );
  return null;
}

function relayProblem(url: string): string | null {
  try {
    parseRelay(url);
  } catch {
    return 'must be a URL such as smtp://user@relay.example.org:587, or smtps:// for TLS from the first byte.';
  }
  const { password, pathname, search, hash } = new URL(url);
  if (password !== '') return 'must not hold the password: give it in `password`.';
  return pathname.length > 1 || search + hash !== '' ? 'must end after the port.' : null;
}

function toDirect(
  { name, sources }: WantedTransport & { readonly kind: 'direct' },
  field: string,
  problems: Problems,
): Transport {
  const seen = new Set<string>();
  const toSource = (one: WantedSource, index: number): SourceAddress => {
    const address = one.address.toLowerCase();
    if (isIP(address) === 0 || /^[0:.]+$/.test(address))
      problems.add(`${field}.sources[${index}].address`, 'must be an IPv4 or IPv6 address of this machine.');
    if (seen.has(address)) problems.add(`${field}.sources[${index}].address`, 'is in the list twice.');
    seen.add(address);
    checkWarmUp(one.warm_up, `${field}.sources[${index}].warm_up`, problems);
    const { ehlo_name = null, weight = 1, connections = null } = one;
    return { address, ehlo_name, weight, connections, warm_up: warmUpOf(one.warm_up) };
  };
  const toldSources = sources.map(toSource);
  if (!toldSources.some(({ weight }) => weight > 0))
    problems.add(`${field}.sources`, 'need one with a weight above 0.');
  return { kind: 'direct', name, sources: toldSources };
}

function checkWarmUp(wanted: WantedSource['warm_up'], field: string, problems: Problems): void {
  const ms = wanted ? Date.parse(`${wanted.since}T00:00:00Z`) : 0;
  if (wanted && (Number.isNaN(ms) || utcDay(ms) !== wanted.since))
    problems.add(`${field}.since`, 'is not a day of the calendar.');
}

/** Defaults are stored, so that a later version with other defaults does not change a warm-up in progress. */
function warmUpOf(wanted: WantedSource['warm_up']): WarmUp | null {
  if (!wanted) return null;
  const { since, curve, curves, over = 'fallback' } = wanted;
  return { since, over, curve: curve ?? DEFAULT_CURVE, curves: curves ?? (curve ? {} : DEFAULT_CURVES) };
}

function toRule(wanted: WantedRule, field: string, problems: Problems): Rule {
  const { name = null, match = {}, steps, canary } = wanted;
  const domains = (key: 'sender_domains' | 'recipient_domains') => {
    const canonical = match[key]?.map((one, index) =>
      canonicalPattern(one, `${field}.match.${key}[${index}]`, problems),
    );
    return canonical === undefined ? {} : { [key]: canonical };
  };
  const given = { ...match, ...domains('sender_domains'), ...domains('recipient_domains') };
  return {
    name,
    match: given,
    steps: steps.map(({ choices }) => ({
      choices: choices.map(({ transport, weight = 1 }) => ({ transport, weight })),
    })),
    ...(canary ? { canary: parseWantedCanary(canary) } : {}),
  };
}

function canonicalPattern(text: string, field: string, problems: Problems): string {
  // A wildcard for a top-level domain, such as `*.de`, has two labels.
  const isBelow = text.startsWith('*.');
  const canonical = canonicalDomain(isBelow ? `x${text.slice(1)}` : text);
  if (!canonical.ok) problems.add(field, canonical.message);
  if (!canonical.ok) return text;
  return isBelow ? `*${canonical.domain.slice(1)}` : canonical.domain;
}

/** Every referenced name must exist. */
function checkNames(
  { transports, rules }: Omit<WantedTable, 'version'>,
  providers: readonly string[],
  problems: Problems,
): void {
  const names = transports.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (name === DEFAULT_TRANSPORT)
      problems.add(
        `transports[${index}].name`,
        '`default` is the transport of the environment variables. Choose another name.',
      );
    if (names.indexOf(name) !== index) problems.add(`transports[${index}].name`, 'is used twice.');
  }
  for (const [index, one] of transports.entries())
    for (const [nth, { warm_up }] of (one.kind === 'direct' ? one.sources : []).entries())
      for (const provider of Object.keys(warm_up?.curves ?? {}).filter((name) => !providers.includes(name)))
        problems.add(
          `transports[${index}].sources[${nth}].warm_up.curves.${provider}`,
          `is no provider; there are ${providers.join(', ')}.`,
        );
  const known = new Set([DEFAULT_TRANSPORT, ...names]);
  canaryProblems(rules, known, problems);
  for (const [nth, { steps, match = {} }] of rules.entries()) {
    for (const [step, { choices }] of steps.entries()) {
      const field = `rules[${nth}].steps[${step}].choices`;
      for (const [index, { transport }] of choices.entries()) {
        if (!known.has(transport))
          problems.add(`${field}[${index}].transport`, `There is no transport ${transport}.`);
        if (choices.findIndex((one) => one.transport === transport) !== index)
          problems.add(`${field}[${index}].transport`, 'is in the step twice.');
      }
      if (!choices.some(({ weight = 1 }) => weight > 0))
        problems.add(field, 'need one with a weight above 0.');
    }
    for (const [index, provider] of (match.providers ?? []).entries())
      if (!providers.includes(provider))
        problems.add(
          `rules[${nth}].match.providers[${index}]`,
          `There is no provider ${provider}; known are ${providers.join(', ')}.`,
        );
  }
}

const selectOrganizations = sql<{ id: string }>(
  'organizations.named_in_routes',
  'SELECT id FROM organizations WHERE id = ANY ($1::text[])',
  { home: 'control' },
);

async function checkOrganizations(db: Sql, rules: readonly WantedRule[], problems: Problems): Promise<void> {
  const named = rules.flatMap(({ match }) => match?.organizations ?? []);
  if (named.length === 0) return;
  const found = new Set((await db.many(selectOrganizations, [named])).map(({ id }) => id));
  for (const [nth, { match }] of rules.entries())
    for (const [index, id] of (match?.organizations ?? []).entries())
      if (!found.has(id))
        problems.add(`rules[${nth}].match.organizations[${index}]`, `There is no organization ${id}.`);
}
