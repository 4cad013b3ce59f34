/** `npx postrider …`. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../runtime/clock.ts';
import { loadConfig } from '../runtime/config.ts';
import { runCli } from './cli/run.ts';

/** `npm start` runs here too, so `.env` and a relative data folder mean the same from any folder. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

process.exitCode = await runCli(process.argv.slice(2), {
  loadConfig: () => loadConfig(process.env, ROOT),
  clock: systemClock,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
});
