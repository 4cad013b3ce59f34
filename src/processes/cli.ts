/** `npx postrider …`. `.env` and a relative data folder are those of the folder it is started in, as for every program. */
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

/** Time for a command to come to an end by itself. */
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
    // It stops in its own way.
    signals.ignore();
    await import(new URL(`./${program}.js`, import.meta.url).href);
  },
});

/** Ctrl+C is a key like any other then, and still means the same. */
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

/** Ctrl+C, and the end of what can be read, are a no. */
async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(terminal, 'close').then(() => '');
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
