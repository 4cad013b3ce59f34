/** `npx postrider …`. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kit/runtime/clock.ts';
import { loadConfig } from '../kit/runtime/config.ts';
import { runCli } from './cli/run.ts';
import { onStopRequest } from './stop-signals.ts';

/** `npm start` runs here too, so `.env` and a relative data folder mean the same from any folder. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Time for a command to come to an end by itself. */
const STOPS_WITHIN_MS = 1_000;
const enough = new AbortController();
onStopRequest({
  stop: () => {
    enough.abort();
    setTimeout(() => process.exit(130), STOPS_WITHIN_MS).unref();
  },
  force: () => process.exit(130),
});

process.exitCode = await runCli(process.argv.slice(2), {
  loadConfig: () => loadConfig(process.env, ROOT),
  clock: systemClock,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  enough: enough.signal,
});
