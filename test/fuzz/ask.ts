/** Asks one request, notes how it went, and writes down what is wrong with it. */
import { randomUUID } from 'node:crypto';
import type { Answered } from './check.ts';
import type { Caller, FuzzFixture } from './fixture.ts';
import type { AskedRequest } from './held-loop.ts';
import { asCurl, type FuzzRequest, type Temper } from './request.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly forMs: number;
  /** It goes on until it has asked this often. */
  readonly least?: number;
  /** Of each kind so many are tried with the keys of the other organization. */
  readonly idsPerNoun: number;
  /** No answer takes longer. */
  readonly limitMs: number;
  readonly progress?: (text: string) => void;
  readonly onAsked?: (asked: AskedRequest) => void;
}

export interface FuzzReport {
  requests: number;
  /** Which operations, in which temper. */
  readonly asked: Set<string>;
  readonly byTemper: Record<Temper, number>;
  readonly byStatus: Record<string, number>;
  readonly byCaller: Record<string, number>;
  raw: number;
  foreign: number;
  slowest: { readonly ms: number; readonly what: string };
  /** Requests that were asked again because the event loop was held while they were under way. */
  suspects: number;
  memory: { readonly before: number; readonly after: number };
  readonly problems: string[];
}

/** Asks, and sees that there is an answer in time. Null when there was none, which is noted. */
export async function ask(
  fixture: FuzzFixture,
  request: FuzzRequest,
  caller: Caller,
  options: FuzzOptions,
  report: FuzzReport,
): Promise<Answered | null> {
  const began = performance.now();
  const fromMs = Date.now();
  try {
    const answer = await send(fixture.url, request, caller, AbortSignal.timeout(options.limitMs));
    count(report, request, caller, answer.status, performance.now() - began);
    return answer;
  } catch (error) {
    const cause = (error as Error).cause as Error | undefined;
    // A body that is refused before it was read whole may be cut off while we still write it.
    if (request.body !== undefined && /EPIPE|ECONNRESET|other side closed/.test(String(cause))) return null;
    note(fixture, report, request, caller, `no answer within ${options.limitMs} ms: ${error} ${cause ?? ''}`);
    return null;
  } finally {
    options.onAsked?.({ request, caller, fromMs, toMs: Date.now() });
  }
}

export async function send(
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

export function note(
  { url }: FuzzFixture,
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

export function emptyReport(): FuzzReport {
  return {
    requests: 0,
    asked: new Set(),
    byTemper: { valid: 0, 'nearly valid': 0, hostile: 0 },
    byStatus: {},
    byCaller: {},
    raw: 0,
    foreign: 0,
    slowest: { ms: 0, what: '' },
    suspects: 0,
    memory: { before: 0, after: 0 },
    problems: [],
  };
}
