/**
 * The load: a process of its own that keeps a number of connections busy with one prepared request each, and counts.
 * It speaks just enough HTTP/1.1 to know when an answer is complete, so that it takes little of the machine away
 * from what is measured. Its orders come as the one argument, its findings leave as one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { NUMBER_PLACE } from './load.ts';

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** A file that holds the whole request, head and body. */
  readonly requestFile: string;
  /** Where the file holds several requests of the same length, that length: they are sent in turn. */
  readonly requestBytes?: number;
  /** A pause between the requests of a connection, for a light load. */
  readonly pauseMs?: number;
  /** Ends after so many requests, if the time is not over before. */
  readonly most?: number;
}

export interface LoadFindings {
  readonly answers: number;
  readonly seconds: number;
  /** How often each status came. */
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
    // Told apart from answers; whoever expects only answers will complain.
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

/** A copy, because what was written before may still be on its way. */
function numbered(request: Buffer): Buffer {
  if (!isNumbered) return request;
  const copy = Buffer.from(request);
  const digits = String(sent).padStart(NUMBER_PLACE.length, '0');
  copy.write(digits, copy.indexOf(NUMBER_PLACE), 'latin1');
  return copy;
}

/** How many bytes the first answer in the buffer takes, or null while it is not all there. */
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
