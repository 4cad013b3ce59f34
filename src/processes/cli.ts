/**
 * `npx postrider …`. `.env` and a relative data folder are resolved from the current folder, as in every
 * program.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { operatorHere } from '../cli/audit.ts';
import { calledFrom } from '../cli/called-from.ts';
import { liveLineOn } from '../cli/progress.ts';
import { runCli } from '../cli/run.ts';
import { systemClock } from '../runtime/clock.ts';
import { loadClientConfig, loadCommandConfig } from '../runtime/config.ts';
import { onStopRequest } from './stop-signals.ts';

process.chdir(calledFrom(process.env, process.cwd()));

/** Time for a command to end on its own. */
const STOPS_WITHIN_MS = 1_000;
const CTRL_C = '\u0003';
const enough = new AbortController();
const signals = onStopRequest({
  stop: () => {
    enough.abort();
    setTimeout(() => process.exit(130), STOPS_WITHIN_MS).unref();
  },
  force: () => process.exit(130),
});

process.exitCode = await runCli(process.argv.slice(2), {
  loadConfig: ({ besideService }) => (besideService ? loadCommandConfig() : loadClientConfig()),
  clock: systemClock,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  live: process.stderr.isTTY ? liveLineOn(process.stderr) : undefined,
  operator: operatorHere(process.env.SUDO_USER),
  enough: enough.signal,
  confirm: process.stdin.isTTY && process.stdout.isTTY ? confirm : null,
  onKey: process.stdin.isTTY ? onKey : undefined,
  become: async (program) => {
    // The program handles signals itself.
    signals.ignore();
    await import(new URL(`./${program}.js`, import.meta.url).href);
  },
});

/** In raw mode Ctrl+C arrives as a key, and is handled like the signal. */
function onKey(hear: (key: string) => void): () => void {
  const { stdin } = process;
  const onData = (bytes: Buffer) => {
    const key = bytes.toString();
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    else hear(key);
  };
  stdin.setRawMode(true).resume().on('data', onData);
  return () => {
    stdin.setRawMode(false).pause().off('data', onData);
  };
}

/** Ctrl+C and the end of input mean no. */
async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
