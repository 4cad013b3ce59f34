/**
 * Runs one bench in its own process, with a time limit and a temporary folder. Afterwards none of its processes and files is left,
 * whether it ended, crashed or hung.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchResult, Size } from './bench.ts';
import { endedChildrenCpuSeconds } from './cpu.ts';
import { endProcessesOf } from './leftovers.ts';
import { within } from './wait.ts';

/** The last characters of a bench's output are kept, because the end explains a failure. */
const KEPT_CHARACTERS = 64 * 1024;
const DRAIN_MS = 2_000;
const PROCESS = fileURLToPath(new URL('./bench-process.ts', import.meta.url));

export interface Order {
  readonly name: string;
  /** The file of the bench. */
  readonly file: string;
  readonly size: Size;
  readonly limitMs: number;
  /** Whether its output is also shown while it runs. */
  readonly isShown?: boolean;
}

export type Ended = { readonly seconds: number; readonly cpuSeconds: number; readonly output: string } & (
  | { readonly kind: 'measured'; readonly result: BenchResult }
  | { readonly kind: 'skipped'; readonly why: string; readonly install: string }
  | { readonly kind: 'failed'; readonly why: string }
);

export async function supervise(order: Order): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-run-'));
  chmodSync(folder, 0o755); // under root, PostgreSQL runs as another account, which needs access
  const startedMs = performance.now();
  const cpuBefore = endedChildrenCpuSeconds();
  const clear = async () => {
    await endProcessesOf(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  const stopListening = onSignal(clear);
  try {
    const seen = await watch(order, folder);
    const seconds = (performance.now() - startedMs) / 1000;
    await clear();
    return { ...seen, seconds, cpuSeconds: endedChildrenCpuSeconds() - cpuBefore };
  } finally {
    await clear();
    stopListening();
  }
}

type Seen = Ended extends infer One
  ? One extends Ended
    ? Omit<One, 'seconds' | 'cpuSeconds'>
    : never
  : never;

async function watch({ name, file, size, limitMs, isShown }: Order, folder: string): Promise<Seen> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, file, name, size], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true, // a process group of its own
  });
  const said = { out: '', all: '' };
  listen(child, said, isShown === true);
  let result: BenchResult | undefined;
  child.on('message', (message) => {
    result = message as BenchResult;
  });
  const drained = Promise.all([once(child, 'close'), once(child, 'disconnect')]);
  try {
    const [code, signal] = await within('the bench', once(child, 'exit'), limitMs);
    // A process that outlives the bench keeps the output open, so its end may never come.
    await within('the end of its output', drained, DRAIN_MS).catch(() => undefined);
    return { output: said.all, ...judge(said, result, code ?? signal) };
  } catch {
    endGroup(child);
    const last = said.all.trimEnd().split('\n').at(-1) ?? '';
    const why = `did not end within ${Math.round(limitMs / 1000)} s; its last line: ${last}`;
    return { kind: 'failed', why, output: said.all };
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // All processes have ended.
  }
}

function listen(child: ChildProcess, said: { out: string; all: string }, isShown: boolean): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said.all = (said.all + text).slice(-KEPT_CHARACTERS);
      if (stream === 'stdout') said.out = (said.out + text).slice(-KEPT_CHARACTERS);
      if (isShown) process[stream].write(text);
    });
  }
}

interface ResultLine {
  readonly ratio: number | null;
  /** The missing program of a bench that could not compare, or a figure with the same name. */
  readonly missing?: { readonly peer: string; readonly install: string } | number | string;
}

/** The last line must be a result. A bench that ends without a result has measured nothing. */
function judge(said: { out: string; all: string }, result: BenchResult | undefined, code: number | string) {
  const line = resultLine(said.out);
  if (typeof line?.missing === 'object')
    return { kind: 'skipped', why: line.missing.peer, install: line.missing.install } as const;
  if (line !== null && typeof line.ratio === 'number' && result !== undefined)
    return { kind: 'measured', result } as const;
  const why = line === null ? errorIn(said.all) : 'its ratio is not a number';
  return { kind: 'failed', why: `ended with ${code} and without a result: ${why}` } as const;
}

function resultLine(out: string): ResultLine | null {
  try {
    const line: unknown = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
    return typeof line === 'object' && line !== null && 'ratio' in line ? (line as ResultLine) : null;
  } catch {
    return null;
  }
}

/** The message of the thrown error, otherwise the last line. */
function errorIn(output: string): string {
  const lines = output.trimEnd().split('\n');
  return lines.findLast((line) => /^\w*Error\b.*: /.test(line)) ?? lines.at(-1) ?? '';
}

/** Ends the bench when a signal ends this process. */
function onSignal(clear: () => Promise<void>): () => void {
  const end = () => void clear().finally(() => process.exit(1));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
  return () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
  };
}
