/** Extracts the records that answer the question from a reply, with the resolver's validation. Pure. */
import type { RecordType, Answer as Resource } from 'dns-packet';
import type { Answer, Timed } from './answer.ts';
import type { DnsReply } from './dns-client.ts';

/** Longer alias chains are an error or an attack. */
const MAX_ALIASES = 16;

/** `read` converts a record of the packet, or returns undefined for an unusable one. */
export function recordsIn<T>(
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
