/** Facts about recipients without contacting any server: destination, current limits and suppressions. */

import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import type { RouteProblem } from '../delivery/facts.ts';
import { timesOfSites } from '../delivery/scheduler/site-times.ts';
import type { NewEmail } from '../emails/email.ts';
import { streamOf } from '../emails/stream.ts';
import { type HoldRow, holdsOn } from '../interventions/holds/store.ts';
import type { Address, AddressKey, MailDomain } from '../protocols/message/address.ts';
import type { SmtpFacts, SmtpTarget } from '../protocols/smtp/facts.ts';
import { explainRoute } from '../routing/explain.ts';
import { describeRoute, NO_RULE, ruleWords } from '../routing/route-description.ts';
import { readSpent, type SpentAllowance, type SpentToday } from '../routing/spent-allowances.ts';
import { DEFAULT_TRANSPORT, type RouteTable } from '../routing/table.ts';
import type { RecipientSite, TransportHealth, TransportHealthSource } from '../routing/transport-health.ts';
import type { Clock } from '../runtime/clock.ts';
import { type ValidationDeps, type ValidationResult, validateAddresses } from '../validation/service.ts';
import type { RecipientFacts } from './recipient-outcome.ts';

/** The destination of mail for a domain, from DNS or from the sandbox. */
export interface ForecastDestination extends RecipientSite {
  readonly problem: RouteProblem | null;
  /** The hosts in order; empty when there is a problem. */
  readonly hops: readonly SmtpTarget[];
}

export interface ForecastFactsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mode: 'sandbox' | 'live';
  readonly validation: ValidationDeps;
  readonly board: TransportHealthSource;
  readonly readTable: (db: Sql) => Promise<RouteTable>;
  readonly destinationOf: (domain: MailDomain) => Promise<ForecastDestination>;
  readonly isWorkerRunning: (db: Sql) => Promise<boolean>;
  /** The known reply of the server to this recipient; null when unknown. */
  readonly scripted: (address: Address) => SmtpFacts | null;
}

/** Facts shared by the recipients of several emails, looked up once. */
export interface ForecastFacts {
  readonly table: RouteTable;
  readonly health: TransportHealth;
  readonly spent: SpentToday;
  readonly isWorkerRunning: boolean;
  readonly destinations: ReadonlyMap<MailDomain, ForecastDestination>;
  readonly times: ReadonlyMap<string, readonly number[]>;
  readonly validated: ReadonlyMap<AddressKey, ValidationResult<Address>>;
}

const AT_ONCE = 16;
const DNS_BUDGET_MS = 3_000;

export async function readForecastFacts(
  deps: ForecastFactsDeps,
  organizationId: string,
  addresses: readonly Address[],
): Promise<ForecastFacts> {
  const { clock, validation, board, readTable, isWorkerRunning } = deps;
  const db = deps.db.of(organizationId);
  const [table, health, isRunning, destinations, results] = await Promise.all([
    readTable(db),
    board.read(db),
    isWorkerRunning(db),
    destinationsOf(deps, new Set(addresses.map(({ domain }) => domain))),
    validateAddresses(validation, organizationId, addresses, { budgetMs: DNS_BUDGET_MS }),
  ]);
  const spent = await readSpent(db, table, clock.nowMs());
  const sites = new Set([...destinations.values()].flatMap(({ site, home }) => [site, home]));
  const times = await timesOfSites(db, [...sites]);
  const validated = new Map(results.map((one) => [one.address.key, one]));
  return { table, health, spent, isWorkerRunning: isRunning, destinations, times, validated };
}

/** A few at a time, so that a batch of unknown domains does not flood the resolver. */
async function destinationsOf(
  { destinationOf }: ForecastFactsDeps,
  domains: ReadonlySet<MailDomain>,
): Promise<ReadonlyMap<MailDomain, ForecastDestination>> {
  const found = new Map<MailDomain, ForecastDestination>();
  const waiting = domains.values();
  const take = async () => {
    for (const domain of waiting) found.set(domain, await destinationOf(domain));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, domains.size) }, take));
  return found;
}

/** The hold that stops each recipient of each email, in order. */
export async function holdsOnAll(
  { db }: ForecastFactsDeps,
  emails: readonly { readonly email: NewEmail }[],
  { destinations }: ForecastFacts,
): Promise<(HoldRow | null)[][]> {
  const mail = emails.map(({ email }) => mailToHold(email, destinations));
  const found = await holdsOn(db, mail.flat());
  let from = 0;
  return mail.map(({ length }) => {
    from += length;
    return found.slice(from - length, from);
  });
}

function mailToHold(email: NewEmail, destinations: ForecastFacts['destinations']) {
  const { organizationId, fromDomain, tags, keyId } = email;
  const { id: templateId = null, version: templateVersion = null } = email.template ?? {};
  return email.recipients.map(({ address }) => {
    const destination = destinations.get(address.domain);
    const site = destination ? { name: destination.site, provider: destination.provider } : null;
    const of = { organizationId, templateId, templateVersion, tags, keyId, fromDomain, site };
    return { holdId: null, recipient: address.email, ...of };
  });
}

/** The path that the route table chooses for this mail now. Paths it does not take are ignored. */
export function wayOf(
  { mode }: ForecastFactsDeps,
  email: NewEmail,
  domain: MailDomain,
  context: ForecastFacts,
) {
  const { table, health, spent } = context;
  const destination = context.destinations.get(domain) ?? null;
  const facts = {
    organizationId: email.organizationId,
    domain,
    provider: destination?.provider ?? '',
    stream: streamOf(email.tags ?? []),
    senderDomain: email.fromDomain,
    tags: email.tags ?? [],
  };
  const { rule, rules, steps } = explainRoute(facts, { table, health, destination, mode, spent });
  const inUse = steps.filter((one) => one.in_use);
  const ways = (inUse.length > 0 ? inUse : steps.slice(-1)).flatMap(({ step, choices }) =>
    choices.map((choice) => ({ step, ...choice })),
  );
  const [likely] = ways.toSorted((one, other) => other.share_now - one.share_now);
  const { transport = DEFAULT_TRANSPORT, source = null } = likely ?? {};
  const matched = rule === null ? undefined : table.rules[rule - 1];
  const why =
    matched && rule !== null ? `${ruleWords(matched, rule - 1)} matched: ${rules.at(-1)?.why}` : NO_RULE;
  const kind = source !== null ? 'direct' : transport === DEFAULT_TRANSPORT ? 'default' : 'relay';
  const message = describeRoute({ kind, transport, source, rule, step: likely?.step ?? 1, why });
  return {
    route: { transport, source, rule, message: mode === 'sandbox' ? `${IN_SANDBOX} ${message}` : message },
    health: healthOf(likely, destination?.home, health, spentFor(likely, facts.provider, spent)),
  };
}

const IN_SANDBOX = 'To the built-in receiver of the sandbox. In live mode:';

type Choice = ReturnType<typeof explainRoute>['steps'][number]['choices'][number];

function spentFor(likely: Choice | undefined, provider: string, spent: SpentToday): SpentAllowance | null {
  return likely?.state === 'spent' && likely.source !== null ? spent(likely.source, provider) : null;
}

/** An address that no worker has counts as blocked. */
function healthOf(
  likely: Choice | undefined,
  home: string | undefined,
  health: TransportHealth,
  spent: SpentAllowance | null,
): RecipientFacts['health'] {
  if (likely === undefined) return null;
  if (spent !== null)
    return { state: 'blocked', message: likely.message, until: spent.until, reason: 'allowance_spent' };
  const known = likely.transport === DEFAULT_TRANSPORT && home !== undefined ? health.of(home) : null;
  const state = likely.state === 'absent' || likely.state === 'spent' ? 'blocked' : likely.state;
  return { state, message: likely.message, until: known?.until ?? null, reason: known?.reason ?? null };
}
