/**
 * Whether the sending addresses are on block lists (RFC 5782). Every list contains the test entry 127.0.0.2:
 * a list without it does not answer us, so its other answers mean nothing.
 */
import { isIPv4 } from 'node:net';
import type { Answer } from '../../protocols/dns/answer.ts';
import { reverseName } from '../../protocols/dns/reverse-name.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, type Observation, quoted } from '../finding.ts';
import { publicSendingAddresses } from '../host/known-host.ts';
import type { Blocklist } from './lists.ts';

interface ListedFacts {
  readonly list: Blocklist;
  readonly address: string;
  readonly answer: Answer<string>;
  /** The answers for the entry that is always listed, and for the one that never is. */
  readonly always: Answer<string>;
  readonly never: Answer<string>;
  /** The reason in the list's own words. */
  readonly reason: string | null;
}

const ALWAYS_LISTED = '127.0.0.2';
const NEVER_LISTED = '127.0.0.1';

export const blocklistCheck = doctorCheck({
  name: 'blocklists',
  needsDns: true,
  matters: 'Receivers that use the list refuse mail from this address, or classify it as spam.',
  gather: gatherListings,
  judge: judgeListings,
});

async function gatherListings(context: DoctorContext): Promise<readonly ListedFacts[]> {
  if (context.config.allowPrivateDestinations)
    throw new CheckInconclusive('Mail stays in a private network (POSTRIDER_ALLOW_PRIVATE_DESTINATIONS).');
  const addresses = await publicSendingAddresses(context);
  const asked = addresses.flatMap((address) =>
    context.outside.blocklists
      .filter(({ hasIPv6 }) => hasIPv6 || isIPv4(address))
      .map((list) => ask(context, list, address)),
  );
  return Promise.all(asked);
}

async function ask({ resolver }: DoctorContext, list: Blocklist, address: string): Promise<ListedFacts> {
  const at = (one: string) => nameOn(list, one);
  const [answer, always, never] = await Promise.all(
    [address, ALWAYS_LISTED, NEVER_LISTED].map((one) => resolver.a(at(one), DOCTOR_LOOKUP)),
  );
  const texts = answer?.kind === 'found' ? await resolver.txt(at(address), DOCTOR_LOOKUP) : null;
  const reason = texts?.kind === 'found' ? texts.records.join(' ') : null;
  const silent = { kind: 'none' } as const;
  return {
    list,
    address,
    answer: answer ?? silent,
    always: always ?? silent,
    never: never ?? silent,
    reason,
  };
}

function nameOn({ zone }: Blocklist, address: string): string {
  return `${reverseName(address).replace(/\.(in-addr|ip6)\.arpa$/, '')}.${zone}`;
}

function judgeListings(all: readonly ListedFacts[]): Observation[] {
  const observed = all.map(judgeListing);
  const wrong = observed.filter(({ level }) => level !== 'ok');
  const clean = all.filter((_facts, at) => observed[at]?.level === 'ok');
  return [...(clean.length === 0 ? [] : [cleanOn(clean)]), ...wrong];
}

function cleanOn(clean: readonly ListedFacts[]): Observation {
  const addresses = [...new Set(clean.map(({ address }) => address))];
  const names = [...new Set(clean.map(({ list }) => list.name))];
  return { level: 'ok', seen: `${addresses.join(', ')} is not listed by ${names.join(', ')}.` };
}

function judgeListing(facts: ListedFacts): Observation {
  const { list, address, answer } = facts;
  const silence = whySilent(facts);
  if (silence !== null)
    return {
      level: 'unknown',
      seen: `Whether ${list.name} lists ${address} is not known: ${silence}`,
      fix: OWN_RESOLVER,
    };
  if (answer.kind !== 'found') return { level: 'ok', seen: `${address} is not listed by ${list.name}.` };
  const codes = answer.records.join(', ');
  const reason = facts.reason === null ? '' : ` The list states: ${quoted(facts.reason)}.`;
  return {
    level: list.weight,
    seen: `${address} is listed by ${list.name} (${codes}).${reason}`,
    fix: `Find the cause and stop it first, then ask for removal: ${list.removal}`,
  };
}

const OWN_RESOLVER =
  'Lists refuse public resolvers. Run a resolver of your own, such as unbound, and set POSTRIDER_DNS_SERVERS=127.0.0.1.';

/** Why the answer is inconclusive; null when it is conclusive. */
function whySilent({ list, answer, always, never }: ListedFacts): string | null {
  if (answer.kind === 'unavailable') return `the list did not answer (${answer.code}).`;
  const refused = [answer, always].find((one) => one.kind === 'found' && one.records.some(isRefusal));
  if (refused !== undefined) return 'the list refuses queries from this DNS server.';
  if (answer.kind === 'found' && !answer.records.every(isListing))
    return `the DNS server answers with ${answer.records.join(', ')}, which is not a defined answer of a block list.`;
  if (always.kind !== 'found') return 'the list does not answer this DNS server, or is no longer operated.';
  if (answer.kind === 'found' && never.kind === 'unavailable')
    return `DNS did not answer whether the list returns every address as listed (${never.code}).`;
  if (never.kind === 'found')
    return `the list returns every address as listed, as abandoned lists do (${list.zone}).`;
  return null;
}

/** Spamhaus and others use 127.255.255.x to refuse a client. */
function isRefusal(code: string): boolean {
  return code.startsWith('127.255.255.');
}

function isListing(code: string): boolean {
  return code.startsWith('127.');
}
