/** `npx postrider …`. `.env` and a relative data folder are those of the folder it is started in, as for every program. */
import { systemClock } from '../kit/runtime/clock.ts';
import { loadConfig } from '../kit/runtime/config.ts';
import { runCli } from './cli/run.ts';
import { onStopRequest } from './stop-signals.ts';

/** Time for a command to come to an end by itself. */
const STOPS_WITHIN_MS = 1_000;
const enough = new AbortController();
const signals = onStopRequest({
  stop: () => {
    enough.abort();
    setTimeout(() => process.exit(130), STOPS_WITHIN_MS).unref();
  },
  force: () => process.exit(130),
});

process.exitCode = await runCli(process.argv.slice(2), {
  loadConfig: () => loadConfig(),
  clock: systemClock,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  enough: enough.signal,
  become: async (program) => {
    // It stops in its own way.
    signals.ignore();
    await import(new URL(`./${program}.js`, import.meta.url).href);
  },
});
