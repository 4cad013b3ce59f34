/** How long the worst bodies keep everybody else waiting, against a bare framework that parses the same ones. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type HostileBody, hostileBodies } from './support/hostile-bodies.ts';
import { end, freePort, type Installation, startInstallation, untilReady } from './support/installation.ts';
import { number } from './support/table.ts';

export const title = 'The longest wait of others while a hostile body is dealt with';
export const claim = 'no body of up to 20 MiB keeps other requests waiting for more than 50 ms';

const MAX_MS = 50;
/** `part`: of what the largest bodies have. */
const SIZES = { full: { rounds: 3, part: 1 }, smoke: { rounds: 1, part: 0.05 } };
type Numbers = (typeof SIZES)[Size];

interface Finding {
  readonly body: HostileBody;
  readonly status: number;
  readonly oursMs: number;
  readonly bareMs: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  progress('starting PostgreSQL, the API and the bare framework');
  const installation = await startInstallation();
  const port = await freePort();
  const script = fileURLToPath(new URL('./support/bare-json-server.ts', import.meta.url));
  const bare = spawn(process.execPath, ['--import', 'tsx', script, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady(port, bare);
    return report(await measure(installation, port, SIZES[size], progress));
  } finally {
    await end(bare);
    await installation.stop();
  }
}

async function measure(
  installation: Installation,
  barePort: number,
  { rounds, part }: Numbers,
  progress: Progress,
): Promise<Finding[]> {
  const template = { name: 'Bench', subject: 'x', text: 'Hi {{name}}' };
  const { id } = (await installation.api('POST', '/templates', template)) as { id: string };
  const findings: Finding[] = [];
  for (const body of hostileBodies(id, part)) {
    const bytes = Buffer.from(body.text);
    const ours: number[] = [];
    const theirs: number[] = [];
    let status = 0;
    for (let round = 0; round < rounds; round += 1) {
      const asked = await longestWait(installation.apiPort, `/api/v1${body.path}`, bytes, {
        ...installation.headers,
        ...(body.keyed ? { 'idempotency-key': `hostile ${findings.length} ${round}` } : {}),
      });
      status = asked.status;
      ours.push(asked.waitMs);
      theirs.push((await longestWait(barePort, '/', bytes, {})).waitMs);
    }
    // The least of the rounds: what a neighbour on the machine adds is not the body's doing.
    const finding = { body, status, oursMs: Math.min(...ours), bareMs: Math.min(...theirs) };
    findings.push(finding);
    progress(`${body.name}: ${status}, ${number(finding.oursMs)} ms, bare ${number(finding.bareMs)} ms`);
  }
  return findings;
}

/** The slowest of the small requests that are made one after the other while the body is on its way and dealt with. */
async function longestWait(
  port: number,
  path: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; waitMs: number }> {
  const url = `http://127.0.0.1:${port}`;
  await fetch(`${url}/healthz`);
  let isOver = false;
  const asked = fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: bytes,
  }).then(async (response) => {
    await response.arrayBuffer();
    isOver = true;
    return response.status;
  });
  let waitMs = 0;
  while (!isOver) {
    const began = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    waitMs = Math.max(waitMs, performance.now() - began);
  }
  return { status: await asked, waitMs };
}

function report(findings: readonly Finding[]): BenchResult {
  const worst = findings.reduce((a, b) => (a.oursMs >= b.oursMs ? a : b));
  return {
    ratio: MAX_MS / worst.oursMs,
    target: 1,
    table: {
      columns: ['body', 'MiB', 'answer', 'longest wait, ms', 'bare framework, ms'],
      rows: findings.map(({ body, status, oursMs, bareMs }) => [
        body.name,
        number(Buffer.byteLength(body.text) / 1024 / 1024, 1),
        String(status),
        number(oursMs, 1),
        number(bareMs, 1),
      ]),
    },
    figures: { worst: worst.body.name, worst_ms: Number(worst.oursMs.toFixed(1)) },
  };
}
