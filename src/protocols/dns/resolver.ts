/**
 * DNS lookups over c-ares, never getaddrinfo (which would queue behind file I/O and password hashes on four
 * threads). The resolver owns a cache of answers and the lookups under way: one question is asked once,
 * however many wait for it. Only so many questions leave at once (burst.ts).
 *
 * A caller that names a deadline waits no longer than that. The resolver's own deadline is the patience with DNS servers:
 * it begins when the question leaves, and a time in which this process was paused does not count. When it is over, the next
 * caller asks again, even if the lookup never ends. A late answer still reaches the cache.
 */
import { Resolver as CaresResolver } from 'node:dns/promises';
import type { Clock } from '../../runtime/clock.ts';
import type { Answer, MxRecord, Timed } from './answer.ts';
import { AnswerCache } from './answer-cache.ts';
import { Burst } from './burst.ts';
import { retryUntilDeadline, withDeadline, withTimeout } from './deadline.ts';
import { canonicalName } from './name.ts';
import { reverseName } from './reverse-name.ts';

export interface LookupOptions {
  /** Asks now: neither the cache nor a stale answer nor a lookup begun earlier will do. */
  readonly fresh?: boolean;
  /** The longest that the caller waits; the deadline of the resolver unless given. */
  readonly deadlineMs?: number;
}

export interface Resolver {
  mx(name: string, options?: LookupOptions): Promise<Answer<MxRecord>>;
  a(name: string, options?: LookupOptions): Promise<Answer<string>>;
  aaaa(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** IPv4 addresses, then IPv6 ones; found when either is. */
  addresses(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** One text per record: the strings it was split into are joined. */
  txt(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** The name that a name is another one of. */
  cname(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** The names of an address, by reverse DNS. */
  ptr(address: string, options?: LookupOptions): Promise<Answer<string>>;
  /** Ends the lookups under way; those who wait for them get `unavailable`. */
  close(): void;
}

export interface ResolverOptions {
  readonly clock: Clock;
  /** `ip` or `ip:port`; the system's when not given. */
  readonly servers?: readonly string[] | undefined;
  /** Of the first try; c-ares doubles it with every further one. */
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** How long to wait for an answer after the question has left. */
  readonly deadlineMs?: number;
  readonly maxEntries?: number;
}

const DEFAULT_TIMEOUT_MS = 2000;
const DEFAULT_TRIES = 3;
const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_MAX_ENTRIES = 20_000;

export function createResolver(options: ResolverOptions): Resolver {
  const cares = new CaresResolver({
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    tries: options.tries ?? DEFAULT_TRIES,
  });
  if (options.servers) cares.setServers(options.servers);
  const lookups = new Lookups(options);

  const resolver: Resolver = {
    mx: (name, how) => lookups.run('MX', name, (one) => askMx(cares, one), how),
    a: (name, how) => lookups.run('A', name, (one) => askAddresses(cares.resolve4(one, WITH_TTL)), how),
    aaaa: (name, how) => lookups.run('AAAA', name, (one) => askAddresses(cares.resolve6(one, WITH_TTL)), how),
    txt: (name, how) => lookups.run('TXT', name, (one) => askTxt(cares, one), how),
    cname: (name, how) => lookups.run('CNAME', name, (one) => askCname(cares, one), how),
    ptr: (address, how) => lookups.run('PTR', reverseName(address), (one) => askPtr(cares, one), how),
    async addresses(name, how) {
      return eitherFamily(...(await Promise.all([resolver.a(name, how), resolver.aaaa(name, how)])));
    },
    close: () => cares.cancel(),
  };
  return resolver;
}

type Ask<T> = (name: string) => Promise<Timed<T>>;

interface Lookup<T> {
  /** Settles whenever the answer comes, however late. */
  readonly answer: Promise<Answer<T>>;
  /** The answer, or `unavailable` when the resolver's own deadline is over. */
  readonly inTime: Promise<Answer<T>>;
}

/** Keyed by type and name, so whatever is found under a key is of that type's kind of record. */
export class Lookups {
  readonly #clock: Clock;
  readonly #cache: AnswerCache;
  readonly #deadlineMs: number;
  readonly #underWay = new Map<string, Lookup<unknown>>();
  readonly #burst = new Burst();

  constructor({
    clock,
    maxEntries = DEFAULT_MAX_ENTRIES,
    deadlineMs = DEFAULT_DEADLINE_MS,
  }: Pick<ResolverOptions, 'clock' | 'maxEntries' | 'deadlineMs'>) {
    this.#clock = clock;
    this.#cache = new AnswerCache(clock, maxEntries);
    this.#deadlineMs = deadlineMs;
  }

  async run<T>(type: string, name: string, ask: Ask<T>, how: LookupOptions = {}): Promise<Answer<T>> {
    const canonical = canonicalName(name);
    if (canonical === null) return { kind: 'nxdomain' };
    const question = `${type} ${canonical}`;
    if (how.fresh) return this.#wait(this.#askNow(question, canonical, ask), how);

    const known = this.#cache.fresh(question);
    if (known) {
      // What goes wrong is told to whoever has to wait for an answer.
      if (this.#cache.isAging(question)) this.#join(question, canonical, ask).inTime.catch(() => undefined);
      return known as Answer<T>;
    }
    const answer = await this.#wait(this.#join(question, canonical, ask), how);
    if (answer.kind !== 'unavailable') return answer;
    return (this.#cache.stale(question) as Answer<T> | undefined) ?? answer;
  }

  #wait<T>({ answer, inTime }: Lookup<T>, { deadlineMs }: LookupOptions): Promise<Answer<T>> {
    if (deadlineMs === undefined) return inTime;
    inTime.catch(() => undefined); // `answer` fails in the same way
    return withDeadline(answer, deadlineMs);
  }

  #join<T>(question: string, name: string, ask: Ask<T>): Lookup<T> {
    const underWay = this.#underWay.get(question);
    if (underWay) return underWay as Lookup<T>;
    const { answer, inTime } = this.#askNow(question, name, ask);
    const started = { answer, inTime: inTime.finally(() => this.#underWay.delete(question)) };
    this.#underWay.set(question, started);
    return started;
  }

  #askNow<T>(question: string, name: string, ask: Ask<T>): Lookup<T> {
    const askedAtMs = this.#clock.nowMs();
    let leave = (): void => {};
    const sent = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const answer = this.#burst
      .run(() => {
        leave();
        return retryUntilDeadline(() => ask(name), this.#deadlineMs);
      })
      .catch((error: unknown): Timed<T> => ({ answer: answerOf(error) }))
      .then((timed) => {
        this.#cache.learn(question, timed, askedAtMs);
        return timed.answer;
      });
    return { answer, inTime: sent.then(() => withTimeout(answer, this.#deadlineMs)) };
  }
}

/** The codes of `node:dns`; a failure without one is a defect and not an answer. */
function answerOf(error: unknown): Exclude<Answer<never>, { kind: 'found' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  switch (code) {
    case undefined:
      throw error;
    case 'ENODATA':
      return { kind: 'none' };
    case 'ENOTFOUND':
    case 'EBADNAME':
      return { kind: 'nxdomain' };
    default:
      return { kind: 'unavailable', code };
  }
}

async function askMx(cares: CaresResolver, name: string): Promise<Timed<MxRecord>> {
  const records = await cares.resolveMx(name);
  return found(
    records.map(({ exchange, priority }) => ({
      exchange: exchange.toLowerCase().replace(/\.$/, ''),
      priority,
    })),
  );
}

const WITH_TTL = { ttl: true } as const;

interface AddressRecord {
  readonly address: string;
  readonly ttl: number;
}

async function askAddresses(lookup: Promise<readonly AddressRecord[]>): Promise<Timed<string>> {
  const records = await lookup;
  return found(
    records.map((record) => record.address),
    Math.min(...records.map((record) => record.ttl)) * 1000,
  );
}

async function askTxt(cares: CaresResolver, name: string): Promise<Timed<string>> {
  const records = await cares.resolveTxt(name);
  return found(records.map((strings) => strings.join('')));
}

async function askCname(cares: CaresResolver, name: string): Promise<Timed<string>> {
  const names = await cares.resolveCname(name);
  return found(names.map((one) => one.toLowerCase().replace(/\.$/, '')));
}

async function askPtr(cares: CaresResolver, name: string): Promise<Timed<string>> {
  const names = await cares.resolvePtr(name);
  return found(names.map((one) => one.toLowerCase().replace(/\.$/, '')));
}

function found<T>(records: readonly T[], ttlMs?: number): Timed<T> {
  if (records.length === 0) return { answer: { kind: 'none' } };
  return { answer: { kind: 'found', records }, ...(ttlMs === undefined ? {} : { ttlMs }) };
}

/** Half an answer is one when it names addresses; otherwise not knowing outweighs a no. It is validated if all of it is. */
export function eitherFamily(ipv4: Answer<string>, ipv6: Answer<string>): Answer<string> {
  const found = [ipv4, ipv6].filter((one) => one.kind === 'found');
  if (found.length > 0) {
    const [{ alias } = {}] = found;
    return {
      kind: 'found',
      records: found.flatMap((one) => one.records),
      ...(found.every(({ secure }) => secure === true) ? { secure: true } : {}),
      ...(alias === undefined ? {} : { alias }),
    };
  }
  if (ipv4.kind === 'unavailable') return ipv4;
  if (ipv6.kind === 'unavailable') return ipv6;
  return ipv4.kind === 'nxdomain' ? ipv6 : ipv4;
}
