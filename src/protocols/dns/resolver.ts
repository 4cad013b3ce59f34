/**
 * DNS lookups over c-ares, never getaddrinfo (which would queue behind file I/O and password hashes on four
 * threads). Owns a cache of answers and the lookups in flight: concurrent callers share one query. The number
 * of simultaneous queries is limited.
 *
 * A caller waits at most for its own deadline. The resolver's deadline for DNS servers begins when the query
 * is sent, and does not count time in which this process was paused. After it, the next caller starts a new
 * query, even if the old one never ends. A late answer still reaches the cache.
 */
import { Resolver as CaresResolver } from 'node:dns/promises';
import type { Clock } from '../../runtime/clock.ts';
import type { Answer, MxRecord, Timed } from './answer.ts';
import { AnswerCache } from './answer-cache.ts';
import { retryUntilDeadline, withDeadline, withTimeout } from './deadline.ts';
import { canonicalName } from './name.ts';
import { reverseName } from './reverse-name.ts';

export interface LookupOptions {
  /** Bypasses the cache, stale answers and lookups in flight. */
  readonly fresh?: boolean;
  /** The caller's deadline; the resolver's own by default. */
  readonly deadlineMs?: number;
}

export interface Resolver {
  mx(name: string, options?: LookupOptions): Promise<Answer<MxRecord>>;
  a(name: string, options?: LookupOptions): Promise<Answer<string>>;
  aaaa(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** IPv4 addresses, then IPv6 ones; found when either is. */
  addresses(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** One text per record, with its strings joined. */
  txt(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** The target of an alias. */
  cname(name: string, options?: LookupOptions): Promise<Answer<string>>;
  /** The names of an address, by reverse DNS. */
  ptr(address: string, options?: LookupOptions): Promise<Answer<string>>;
  /** Ends the lookups in flight; their callers get `unavailable`. */
  close(): void;
}

export interface ResolverOptions {
  readonly clock: Clock;
  /** `ip` or `ip:port`; the system's servers by default. */
  readonly servers?: readonly string[] | undefined;
  /** Timeout of the first attempt; c-ares doubles it with each further one. */
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** Timeout for an answer after the query was sent. */
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
  /** Settles when the answer arrives, however late. */
  readonly answer: Promise<Answer<T>>;
  /** The answer, or `unavailable` after the resolver's own deadline. */
  readonly inTime: Promise<Answer<T>>;
}

/** Keyed by type and name, so that the records under a key have that type. */
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
      // Errors are reported to the caller that waits for an answer.
      if (this.#cache.isAging(question)) this.#join(question, canonical, ask).inTime.catch(() => undefined);
      return known as Answer<T>;
    }
    const answer = await this.#wait(this.#join(question, canonical, ask), how);
    if (answer.kind !== 'unavailable') return answer;
    return (this.#cache.stale(question) as Answer<T> | undefined) ?? answer;
  }

  #wait<T>({ answer, inTime }: Lookup<T>, { deadlineMs }: LookupOptions): Promise<Answer<T>> {
    if (deadlineMs === undefined) return inTime;
    inTime.catch(() => undefined); // `answer` fails with the same error
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

/** Maps the codes of `node:dns`; an error without one is a bug, not an answer. */
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

/**
 * Either family with addresses counts as found; otherwise an unavailable family outweighs a negative answer.
 * Validated only if both are.
 */
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

/**
 * Limits how many DNS queries are sent at once.
 *
 * Hundreds of simultaneous datagrams overflow the receiver's buffers, and c-ares treats one lost answer as a
 * failing server: it repeats all pending queries and counts that as an attempt, until attempts run out for
 * names whose servers work. A query counts as long as its answer can be expected soon; a slower one frees its
 * slot, so that unresponsive names do not delay the others.
 *
 * Owns the number of counted queries and the waiting ones, in order.
 */
export const MAX_AT_ONCE = 64;
const SOON_MS = 250;

export class Burst {
  readonly #waiting: (() => void)[] = [];
  #counted = 0;

  async run<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#counted >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#counted += 1;
    let counts = true;
    const makeRoom = () => {
      if (counts) this.#makeRoom();
      counts = false;
    };
    const timer = setTimeout(makeRoom, SOON_MS);
    try {
      return await ask();
    } finally {
      clearTimeout(timer);
      makeRoom();
    }
  }

  /** Passes the slot to the next query, or frees it. */
  #makeRoom(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#counted -= 1;
    else next();
  }
}
