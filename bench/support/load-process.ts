/**
 * The load generator: a separate process that keeps a number of connections busy with prepared requests, and counts. It parses
 * only enough HTTP/1.1 to detect the end of an answer, so that it uses little of the machine's processor time. It takes its
 * settings as one argument, and prints its results as one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { NUMBER_PLACE } from './load.ts';

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** A file with the whole request, head and body. */
  readonly requestFile: string;
  /** The length of one request, if the file has several requests of the same length. They are sent in turn. */
  readonly requestBytes?: number;
  /** A pause between the requests of a connection, for a light load. */
  readonly pauseMs?: number;
  /** The most requests. The time may end the load earlier. */
  readonly most?: number;
}

export interface LoadFindings {
  readonly answers: number;
  readonly seconds: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
const requests = readFileSync(order.requestFile);
const requestBytes = order.requestBytes ?? requests.length;
const isNumbered = requests.includes(NUMBER_PLACE);
let nextRequest = 0;
let sent = 0;
const latencies: number[] = [];
const statuses: Record<string, number> = {};
const started = performance.now();

await Promise.all(Array.from({ length: order.connections }, keepBusy));
report();

function keepBusy(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(order.port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentMs = 0;
    let pending: Buffer = Buffer.alloc(0);
    const finish = () => {
      socket.destroy();
      resolve();
    };
    const send = () => {
      if (sent >= (order.most ?? Number.POSITIVE_INFINITY)) return finish();
      sentMs = performance.now();
      socket.write(numbered(requests.subarray(nextRequest, nextRequest + requestBytes)));
      nextRequest = (nextRequest + requestBytes) % requests.length;
      sent += 1;
    };
    socket.once('connect', send);
    // Counted separately from answers, so that `expectOnly` fails.
    socket.once('error', () => {
      statuses.broken = (statuses.broken ?? 0) + 1;
      resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const length = completeLength(pending);
      if (length === null) return;
      count(pending);
      pending = pending.subarray(length);
      if (performance.now() - started >= order.durationMs) finish();
      else if (order.pauseMs) setTimeout(send, order.pauseMs);
      else send();
    });

    function count(answer: Buffer): void {
      latencies.push(performance.now() - sentMs);
      const status = answer.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
}

/** Copies the request, because the previous one may not be written completely yet. */
function numbered(request: Buffer): Buffer {
  if (!isNumbered) return request;
  const copy = Buffer.from(request);
  const digits = String(sent).padStart(NUMBER_PLACE.length, '0');
  copy.write(digits, copy.indexOf(NUMBER_PLACE), 'latin1');
  return copy;
}

/** The length of the first answer in the buffer in bytes; null while the answer is incomplete. */
function completeLength(buffer: Buffer): number | null {
  const headEnd = buffer.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = buffer.toString('latin1', 0, headEnd).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length === undefined) throw new Error('An answer came without a length.');
  const total = headEnd + 4 + Number(length);
  return buffer.length >= total ? total : null;
}

function report(): void {
  const seconds = (performance.now() - started) / 1000;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const findings: LoadFindings = {
    answers: latencies.length,
    seconds,
    statuses,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
  console.log(JSON.stringify(findings));
}
