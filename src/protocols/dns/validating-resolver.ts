/**
 * A resolver that reports whether answers were validated by DNSSEC. It trusts the AD bit of its servers,
 * which must validate and be reached over a trusted path. Queries that decide deliveries use our own client;
 * all others use the normal resolver.
 */
import { getServers } from 'node:dns';
import type { RecordType, Answer as Resource } from 'dns-packet';
import type { Answer, MxRecord, Timed } from './answer.ts';
import { DnsClient, type DnsReply } from './dns-client.ts';
import {
  createResolver,
  eitherFamily,
  type LookupOptions,
  Lookups,
  type Resolver,
  type ResolverOptions,
} from './resolver.ts';
import type { TlsaRecord } from './tlsa.ts';

export interface ValidatingResolver extends Resolver {
  tlsa(name: string, options?: LookupOptions): Promise<Answer<TlsaRecord>>;
  /** The alias itself, not its target. */
  cname(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** Start of authority: every zone has one, so this query serves to read the flags. */
  soa(name: string, options?: LookupOptions): Promise<Answer<true>>;
}

const TIMEOUT_MS = 2_000;
/** As patient as the normal resolver, for busy machines and networks. */
const ROUNDS = 3;

export function createValidatingResolver(options: ResolverOptions): ValidatingResolver {
  const usual = createResolver(options);
  const lookups = new Lookups(options);
  const client = new DnsClient({
    servers: options.servers ?? getServers(),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    rounds: options.tries ?? ROUNDS,
  });
  const asking =
    <T>(type: Asked, read: (data: unknown) => T | undefined) =>
    (name: string, how?: LookupOptions): Promise<Answer<T>> =>
      lookups.run(type, name, (one): Promise<Timed<T>> => ask(client, one, type, read), how);
  const [a, aaaa] = [asking('A', readText), asking('AAAA', readText)];
  return {
    ...usual,
    mx: asking('MX', readMx),
    a,
    aaaa,
    addresses: async (name, how) => eitherFamily(...(await Promise.all([a(name, how), aaaa(name, how)]))),
    tlsa: asking('TLSA', readTlsa),
    cname: asking('CNAME', readName),
    soa: asking('SOA', () => true as const),
    close() {
      client.close();
      usual.close();
    },
  };
}

type Asked = 'MX' | 'A' | 'AAAA' | 'TLSA' | 'CNAME' | 'SOA';

async function ask<T>(
  client: DnsClient,
  name: string,
  type: Asked,
  read: (data: unknown) => T | undefined,
): Promise<Timed<T>> {
  return recordsIn(await client.ask(name, type), name, type, read);
}

function readText(data: unknown): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

function readName(data: unknown): string | undefined {
  return typeof data === 'string' ? data.toLowerCase().replace(/\.$/, '') : undefined;
}

function readMx(data: unknown): MxRecord | undefined {
  const { preference, exchange } = data as { preference?: number; exchange?: string };
  const name = readName(exchange);
  return preference === undefined || name === undefined
    ? undefined
    : { priority: preference, exchange: name };
}

function readTlsa(data: unknown): TlsaRecord | undefined {
  const { usage, selector, matchingType, certificate } = data as Partial<
    Record<'usage' | 'selector' | 'matchingType', number>
  > & { certificate?: Buffer };
  if (usage === undefined || selector === undefined || matchingType === undefined) return undefined;
  // Copied, so that the packet is not kept in memory.
  return { usage, selector, matching: matchingType, data: Buffer.from(certificate ?? []) };
}

/** Longer alias chains are an error or an attack. */
const MAX_ALIASES = 16;

/** `read` converts a record of the packet, or returns undefined for an unusable one. */
function recordsIn<T>(
  reply: DnsReply,
  name: string,
  type: RecordType,
  read: (data: unknown) => T | undefined,
): Timed<T> {
  const chain = aliasesOf(reply, name, type);
  const owner = chain.at(-1)?.target ?? name;
  const own = resourcesIn(reply).filter((one) => one.type === type && nameOf(one.name) === owner);
  const secure = reply.flag_ad ? ({ secure: true } as const) : {};
  const records = own.map((one) => read(one.data)).filter((one) => one !== undefined);
  if (records.length === 0) return { answer: emptyAnswer(reply, secure) };
  const ttlMs = Math.min(...[...chain, ...own].map(({ ttl }) => ttl ?? 0)) * 1000;
  const alias = chain.length === 0 ? {} : { alias: owner };
  return { answer: { kind: 'found', records, ...secure, ...alias }, ttlMs };
}

function emptyAnswer(
  { rcode }: DnsReply,
  secure: { readonly secure?: true },
): Exclude<Answer<never>, { kind: 'found' }> {
  return { kind: rcode === 'NXDOMAIN' ? 'nxdomain' : 'none', ...secure };
}

interface Alias {
  readonly target: string;
  readonly ttl: number | undefined;
}

function aliasesOf(reply: DnsReply, name: string, type: RecordType): Alias[] {
  const chain: Alias[] = [];
  if (type === 'CNAME') return chain;
  let current = name;
  while (chain.length < MAX_ALIASES) {
    const next = resourcesIn(reply).find((one) => one.type === 'CNAME' && nameOf(one.name) === current);
    if (next?.type !== 'CNAME') break;
    current = nameOf(next.data);
    chain.push({ target: current, ttl: next.ttl });
  }
  return chain;
}

type Shown = Extract<Resource, { readonly ttl?: number | undefined; readonly data: unknown }>;

function resourcesIn({ answers }: DnsReply): readonly Shown[] {
  return (answers ?? []).filter((one): one is Shown => 'data' in one);
}

function nameOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
