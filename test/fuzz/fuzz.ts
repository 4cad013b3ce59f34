/**
 * Asks the API for everything it says it does, in good faith and in bad, as everybody it knows, and holds every answer
 * against what is promised: no 5xx, no hang, errors in the envelope, answers as the document describes them, nothing
 * of one organization in an answer to another.
 */
import { randomUUID } from 'node:crypto';
import { type Answered, parsed, problemOf } from './check.ts';
import { sweep } from './isolation.ts';
import { MemoryWatch } from './memory.ts';
import { Random } from './random.ts';
import { problemOfRaw, RAW_REQUESTS } from './raw-http.ts';
import { asCurl, type FuzzRequest, makeRequest, pickOperation, type Temper } from './request.ts';
import type { Caller, FuzzOrganization, World } from './world.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly forMs: number;
  /** No answer takes longer. */
  readonly limitMs: number;
  readonly progress?: (text: string) => void;
}

export interface FuzzReport {
  requests: number;
  readonly byTemper: Record<Temper, number>;
  readonly byStatus: Record<string, number>;
  readonly byCaller: Record<string, number>;
  raw: number;
  foreign: number;
  slowest: { readonly ms: number; readonly what: string };
  memory: { readonly before: number; readonly after: number };
  readonly problems: string[];
}

const AT_ONCE = 12;
const MOST_PROBLEMS = 40;
/** Of a hundred requests. */
const TEMPER_SHARE: readonly Temper[] = [
  ...Array<Temper>(40).fill('valid'),
  ...Array<Temper>(30).fill('nearly valid'),
  ...Array<Temper>(30).fill('hostile'),
];

export async function fuzz(world: World, options: FuzzOptions): Promise<FuzzReport> {
  const report = emptyReport();
  const memory = new MemoryWatch(world.url);
  const until = Date.now() + options.forMs;
  let next = 0;
  const asking = async () => {
    while (Date.now() < until && report.problems.length < MOST_PROBLEMS) {
      const number = next;
      next += 1;
      await askOnce(world, new Random(options.seed + number), options, report);
      if (number % 2_000 === 1_999) options.progress?.(`${number + 1} requests`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asking));
  memory.stop();
  report.memory = memory.kept;
  await sweep(world, options, report);
  return report;
}

async function askOnce(
  world: World,
  random: Random,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  if (random.chance(0.02)) return askRaw(world, random, options, report);
  const organization = random.pick(world.organizations);
  const foreign = world.organizations.find((one) => one !== organization) ?? organization;
  const caller = random.chance(0.03) ? NOBODY : pickCaller(organization, random);
  const operation = pickOperation(operationsFor(world, caller), random);
  const request = makeRequest(operation, random.pick(TEMPER_SHARE), {
    random,
    api: world.api,
    domain: organization.domain,
    mark: organization.mark,
    idOf: (noun) => organization.ids.pick(noun, random),
  });
  const answer = await ask(world, request, caller, options, report);
  if (answer === null) return;
  const problem = problemOf(world.api, request, answer, foreign.mark);
  if (problem !== null) note(world, report, request, caller, problem);
  else if (answer.status < 300) organization.ids.learn(operation, parsed(answer.text));
}

const NOBODY: Caller = {
  kind: 'nobody',
  headers: { authorization: 'Bearer pr_nobody_knows_this_key_0123456789' },
};

function pickCaller(organization: FuzzOrganization, random: Random): Caller {
  const [full] = organization.callers;
  return full && random.chance(0.5) ? full : random.pick(organization.callers);
}

/** Ends the session that it is asked with, or changes what it takes to get the next. */
const ENDS_SESSION = /^\/auth\/(sign-out|password|totp|organization)|^POST \/auth\/sign-in/;

function operationsFor(world: World, { kind }: Caller) {
  const { operations } = world.api;
  return kind === 'owner' ? operations.filter(({ path }) => !ENDS_SESSION.test(path)) : operations;
}

/** Asks, and sees that there is an answer in time. Null when there was none, which is noted. */
export async function ask(
  world: World,
  request: FuzzRequest,
  caller: Caller,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<Answered | null> {
  const began = performance.now();
  try {
    const answer = await send(world.url, request, caller, AbortSignal.timeout(options.limitMs));
    count(report, request, caller, answer.status, performance.now() - began);
    return answer;
  } catch (error) {
    const cause = (error as Error).cause as Error | undefined;
    // A body that is refused before it was read whole may be cut off while we still write it.
    if (request.body !== undefined && /EPIPE|ECONNRESET|other side closed/.test(String(cause))) return null;
    note(world, report, request, caller, `no answer within ${options.limitMs} ms: ${error} ${cause ?? ''}`);
    return null;
  }
}

async function send(
  url: string,
  request: FuzzRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<Answered> {
  const { body, method } = request;
  const response = await fetch(`${url}/api/v1${request.path}`, {
    method,
    headers: { ...caller.headers, ...request.headers, 'x-fuzz': randomUUID() },
    signal,
    ...(body === undefined ? {} : request.chunked ? { body: pieces(body), duplex: 'half' } : { body }),
  } as RequestInit);
  if (response.headers.get('content-type')?.includes('event-stream')) {
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, text: '' };
  }
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function pieces(body: string | Buffer): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  const size = Math.max(1, Math.ceil(bytes.length / 4));
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
    },
  });
}

async function askRaw(
  { url }: World,
  random: Random,
  { limitMs }: FuzzOptions,
  report: FuzzReport,
): Promise<void> {
  const text = random.pick(RAW_REQUESTS);
  const problem = await problemOfRaw(url, text, limitMs);
  report.raw += 1;
  if (problem !== null) report.problems.push(`${JSON.stringify(text.slice(0, 200))}: ${problem}`);
}

export function note(
  { url }: World,
  report: FuzzReport,
  request: FuzzRequest,
  caller: Caller,
  problem: string,
): void {
  const what = `${request.operation.name} as ${caller.kind} (${request.temper}): ${problem}`;
  report.problems.push(`${what}\n    ${asCurl(url, request, caller.headers)}`);
}

function count(report: FuzzReport, request: FuzzRequest, caller: Caller, status: number, ms: number): void {
  report.requests += 1;
  report.byTemper[request.temper] += 1;
  report.byStatus[status] = (report.byStatus[status] ?? 0) + 1;
  report.byCaller[caller.kind] = (report.byCaller[caller.kind] ?? 0) + 1;
  if (ms > report.slowest.ms) report.slowest = { ms: Math.round(ms), what: request.operation.name };
}

function emptyReport(): FuzzReport {
  return {
    requests: 0,
    byTemper: { valid: 0, 'nearly valid': 0, hostile: 0 },
    byStatus: {},
    byCaller: {},
    raw: 0,
    foreign: 0,
    slowest: { ms: 0, what: '' },
    memory: { before: 0, after: 0 },
    problems: [],
  };
}
