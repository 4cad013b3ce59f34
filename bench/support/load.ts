/** Runs the load generator in its own process and returns its results. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadFindings, LoadOrder } from './load-process.ts';
import { TIMEOUT_MS, within } from './wait.ts';

const SCRIPT = fileURLToPath(new URL('./load-process.ts', import.meta.url));

/** Replaced by the number of the request, so that every mail has a different recipient. */
export const NUMBER_PLACE = '########';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a request without a body. A string is sent unchanged, with the type of the headers. */
  readonly body?: unknown;
}

/** Sends several requests in turn. They must have the same length. */
export async function load(
  request: HttpRequest | readonly HttpRequest[],
  order: Omit<LoadOrder, 'requestFile' | 'requestBytes'>,
): Promise<LoadFindings> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-load-'));
  try {
    const requestFile = join(folder, 'request');
    const raw = [request].flat().map(rawRequest);
    const requestBytes = raw[0]?.length ?? 0;
    if (raw.some((one) => one.length !== requestBytes)) throw new Error('Requests of different lengths.');
    writeFileSync(requestFile, Buffer.concat(raw));
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', SCRIPT, JSON.stringify({ ...order, requestFile, requestBytes })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    const [code] = await within(
      `the load on port ${order.port} to end`,
      once(child, 'close'),
      order.durationMs + TIMEOUT_MS,
    );
    if (code !== 0) throw new Error(`The load ended with ${code}.`);
    return JSON.parse(output) as LoadFindings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function rawRequest({ method, path, headers, body }: HttpRequest): Buffer {
  const isText = body === undefined || typeof body === 'string';
  const content = Buffer.from(isText ? (body ?? '') : JSON.stringify(body));
  const about = { 'content-type': 'application/json', 'content-length': String(content.length) };
  const head = Object.entries({ host: 'localhost', ...(body === undefined ? {} : about), ...headers });
  const lines = [`${method} ${path} HTTP/1.1`, ...head.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), content]);
}

/** Throws unless every answer had the expected status, because fast errors are no throughput. */
export function expectOnly(status: number, findings: LoadFindings): void {
  const others = Object.keys(findings.statuses).filter((one) => one !== String(status));
  if (others.length > 0)
    throw new Error(`Answers other than ${status}: ${JSON.stringify(findings.statuses)}`);
}
