/** What validating an address costs, with DNS answered on loopback and everything warm, next to two peers. */
import { type ChildProcess, fork } from 'node:child_process';
import dns from 'node:dns';
import type { Resolver } from '../src/protocols/dns/resolver.ts';
import type { ValidationDeps } from '../src/validation/service.ts';
import type { DnsZone } from '../test/support/dns-zone.ts';
import { type BenchResult, MissingPeer, type Progress, type Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { median } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { number } from './support/table.ts';
import { firstMessage } from './support/wait.ts';

export const title = 'Validating addresses, DNS on loopback, lists and answers warm';
export const claim =
  'p50 < 0.3 ms and p99 < 2 ms an address, 100 addresses < 30 ms, lists < 25 MB, at least 3 times the peers';

const LIMITS = { p50Ms: 0.3, p99Ms: 2, batchMs: 30, listsMb: 25, timesPeers: 3 };
const SIZES = {
  full: { rounds: 10, callsPerRound: 2_000, batches: 60, coldBatches: 10 },
  smoke: { rounds: 1, callsPerRound: 50, batches: 3, coldBatches: 1 },
};
type Numbers = (typeof SIZES)[Size];
const BATCH = 100;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const domains = mixedDomains();
  const server = await startDnsServer(zoneOf(domains));
  try {
    const memory = await listMemory();
    const ours = await createOurs(server.address);
    const emails = Array.from({ length: 1000 }, (_, at) => emailAt(at, domains));
    progress('batches of 100');
    const warm = await measureBatches(ours.validate, distinct(domains), numbers.batches);
    const cold = await measureCold(server.address, distinct(domains), numbers.coldBatches);
    progress('one address at a time');
    const one = (email: string) => ours.validate([email]);
    const { postrider: alone } = await measureLatencies({ postrider: one }, emails, numbers, progress);
    const { peers, checksAll } = await createPeers(server.address, progress);
    const same = emails.filter(checksAll);
    progress(`the same ${same.length} addresses with all`);
    const together = await measureLatencies({ postrider: one, ...peers }, same, numbers, progress);
    ours.resolver.close();
    return report({ alone, together, warm, cold, memory });
  } finally {
    server.child.disconnect();
  }
}

type Check = (email: string) => Promise<unknown>;

/** A hundred domains: providers, companies, disposable ones, misspellings, subdomains. */
function mixedDomains(): string[] {
  const known =
    'gmail.com yahoo.com hotmail.com outlook.com icloud.com proton.me web.de gmx.de qq.com wp.pl orange.fr libero.it comcast.net mailinator.com guerrillamail.com yopmail.com abc.mailinator.com gmial.com hotmaik.com gmail.co siemens.com bbc.co.uk mit.edu ox.ac.uk duck.com';
  const companies = Array.from({ length: 75 }, (_, at) => `company-${at}.${['com', 'de', 'co.uk'][at % 3]}`);
  return [...known.split(' '), ...companies];
}

function zoneOf(domains: readonly string[]): DnsZone {
  const entries = domains.flatMap((domain, at) => [
    [domain, { MX: [[10, `mx${at}.mail-host.com`]], A: ['93.184.216.34'] }],
    [`mx${at}.mail-host.com`, { A: ['93.184.216.35'] }],
  ]);
  return Object.fromEntries(entries) as DnsZone;
}

const LOCALS = [
  'jane.doe',
  'wojciech.brzeczyszczykiewicz',
  'info',
  'x7k2q9z4w1',
  'nguyenthithanhhuong',
  'mueller',
];

function emailAt(at: number, domains: readonly string[]): string {
  return `${LOCALS[at % LOCALS.length]}${at}@${domains[(at * 7) % domains.length]}`;
}

function distinct(domains: readonly string[]): string[] {
  return domains.slice(0, BATCH).map((domain, at) => `${LOCALS[at % LOCALS.length]}@${domain}`);
}

async function startDnsServer(zone: DnsZone): Promise<{ address: string; child: ChildProcess }> {
  const child = fork(new URL('./support/dns-server.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  child.send(zone);
  return { address: await firstMessage<string>('the DNS server', child), child };
}

interface Memory {
  readonly bytes: number;
  readonly loadMs: number;
}

async function listMemory(): Promise<Memory> {
  const execArgv = ['--expose-gc', '--import', 'tsx'];
  const child = fork(new URL('./support/list-memory.ts', import.meta.url), { execArgv });
  return firstMessage<Memory>('the memory of the lists', child);
}

interface Ours {
  readonly resolver: Resolver;
  readonly validate: (emails: readonly string[]) => Promise<unknown>;
}

async function createOurs(dnsServer: string): Promise<Ours> {
  const { createResolver } =
    await built<typeof import('../src/protocols/dns/resolver.ts')>('protocols/dns/resolver');
  const { isPublicAddress } = await built<typeof import('../src/protocols/dns/public-address.ts')>(
    'protocols/dns/public-address',
  );
  const { loadLists } = await built<typeof import('../src/validation/lists.ts')>('validation/lists');
  const { parseAddress } =
    await built<typeof import('../src/protocols/message/address.ts')>('protocols/message/address');
  const { validateAddresses } =
    await built<typeof import('../src/validation/service.ts')>('validation/service');
  const clock = { nowMs: () => Date.now() };
  const resolver = createResolver({ clock, servers: [dnsServer] });
  const nothing = { allow: new Set<string>(), deny: new Set<string>() };
  const deps: ValidationDeps = {
    clock,
    resolver,
    lists: loadLists(),
    routable: isPublicAddress,
    sandboxDomains: new Set(),
    ownLists: async () => nothing,
    pastFailures: async () => new Map(),
  };
  return {
    resolver,
    validate: (emails) => validateAddresses(deps, 'org', emails.map(parseAddress), { budgetMs: 5_000 }),
  };
}

interface Peers {
  readonly peers: Record<string, Check>;
  /** They stop at the first check that fails; only where none does have they done the same work. */
  readonly checksAll: (email: string) => boolean;
}

/** The same four checks: syntax, disposable, typo, MX. */
async function createPeers(dnsServer: string, progress: Progress): Promise<Peers> {
  const { default: mailchecker } = await requirePackage(() => import('mailchecker'), 'mailchecker', 'npm ci');
  const { default: mailcheck } = await requirePackage(() => import('mailcheck'), 'mailcheck', 'npm ci');
  const resolver = new dns.promises.Resolver();
  resolver.setServers([dnsServer]);
  const peers: Record<string, Check> = {
    'mailchecker + mailcheck + resolveMx': async (email) => {
      mailchecker.isValid(email);
      mailcheck.run({ email, suggested: () => undefined, empty: () => undefined });
      return resolver.resolveMx(email.slice(email.indexOf('@') + 1));
    },
  };
  try {
    const install = 'npm install --no-save deep-email-validator';
    const deep = await requirePackage(() => import('deep-email-validator'), 'deep-email-validator', install);
    dns.setServers([dnsServer]);
    const checks = { validateTypo: true, validateDisposable: true, validateMx: true, validateRegex: true };
    peers['deep-email-validator'] = (email) => deep.validate({ email, validateSMTP: false, ...checks });
  } catch (error) {
    if (!(error instanceof MissingPeer)) throw error;
    progress(error.message);
  }
  const checksAll = (email: string) => {
    let suggested = false;
    mailcheck.run({
      email,
      suggested: () => {
        suggested = true;
      },
    });
    return mailchecker.isValid(email) && !suggested;
  };
  return { peers, checksAll };
}

/**
 * Call by call, in turns. The middle call counts, not the sum: on a busy machine a process that computes is
 * interrupted more than one that waits for DNS, and the interruptions are not what is measured.
 */
async function measureLatencies<Name extends string>(
  checks: Readonly<Record<Name, Check>>,
  emails: readonly string[],
  { rounds, callsPerRound }: Numbers,
  progress: Progress,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(checks) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // The round before the first fills the cache of DNS answers and lets the compiler warm up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names.toReversed() : names) {
      const taken = await callMany(checks[name], emails, callsPerRound);
      if (round > 0) times[name].push(...taken);
    }
    progress(`round ${round} of ${rounds}`);
  }
  for (const name of names) times[name].sort((a, b) => a - b);
  return times;
}

async function callMany(check: Check, emails: readonly string[], calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const email = emails[call % emails.length] as string;
    const started = performance.now();
    await check(email);
    times.push(performance.now() - started);
  }
  return times;
}

async function measureBatches(
  validate: Ours['validate'],
  emails: readonly string[],
  batches: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < batches; round += 1) {
    const started = performance.now();
    await validate(emails);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** A hundred domains nobody has asked about yet: four hundred lookups. */
async function measureCold(dnsServer: string, emails: readonly string[], batches: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < batches; round += 1) {
    const fresh = await createOurs(dnsServer);
    const started = performance.now();
    await fresh.validate(emails);
    times.push(performance.now() - started);
    fresh.resolver.close();
  }
  return median(times);
}

interface Measured {
  /** All kinds of addresses. */
  readonly alone: readonly number[];
  /** Those that the peers check as thoroughly. */
  readonly together: Readonly<Record<string, readonly number[]>>;
  readonly warm: number;
  readonly cold: number;
  readonly memory: Memory;
}

function report({ alone, together, warm, cold, memory }: Measured): BenchResult {
  const { postrider = [], ...peers } = together;
  const [p50, p99] = [quantile(alone, 0.5), quantile(alone, 0.99)];
  const listsMb = memory.bytes / 1e6;
  const times = Object.entries(peers).map(
    ([name, list]) => [name, quantile(list, 0.5) / quantile(postrider, 0.5)] as const,
  );
  const parts = [
    LIMITS.p50Ms / p50,
    LIMITS.p99Ms / p99,
    LIMITS.batchMs / warm,
    LIMITS.listsMb / listsMb,
    ...times.map(([, ratio]) => ratio / LIMITS.timesPeers),
  ];
  const peerRows = times.map(([name, ratio]) => [`times as fast as ${name}`, number(ratio, 1), '3']);
  const missing =
    'deep-email-validator' in peers ? [] : [['times as fast as deep-email-validator', 'not installed', '3']];
  return {
    ratio: Math.min(...parts),
    target: 1,
    table: {
      columns: ['measured', 'value', 'limit'],
      rows: [
        ['one address, p50 ms', number(p50, 3), String(LIMITS.p50Ms)],
        ['one address, p99 ms', number(p99, 3), String(LIMITS.p99Ms)],
        ['100 addresses, 100 domains, warm, ms', number(warm, 1), String(LIMITS.batchMs)],
        ['100 addresses, 100 domains, DNS cold, ms', number(cold, 1), ''],
        ['memory of all lists, MB', number(listsMb, 1), String(LIMITS.listsMb)],
        ['loading all lists, ms', number(memory.loadMs), ''],
        ...peerRows,
        ...missing,
      ],
    },
    figures: {
      p50_ms: Number(p50.toFixed(4)),
      p99_ms: Number(p99.toFixed(4)),
      batch_warm_ms: Number(warm.toFixed(2)),
      batch_cold_ms: Number(cold.toFixed(2)),
      lists_mb: Number(listsMb.toFixed(2)),
      ...Object.fromEntries(times.map(([name, ratio]) => [`times ${name}`, Number(ratio.toFixed(2))])),
    },
  };
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
