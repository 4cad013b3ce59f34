/** `src/processes/start.ts` with roles of the test's choosing: `run-installation.ts api.mjs stubborn.mjs`. */
import { fileURLToPath } from 'node:url';
import { onStopRequest } from '../../src/processes/stop-signals.ts';
import { Installation } from '../../src/processes/supervisor/installation.ts';
import { loadConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';

const scripts = process.argv.slice(2);
const config = loadConfig();
const installation = new Installation({
  config,
  log: createLog('start', config.logLevel),
  say: (line) => process.stdout.write(`${line}\n`),
  roles: Object.fromEntries(
    scripts.map((name) => [
      name.replace('.mjs', ''),
      fileURLToPath(new URL(`./fake-roles/${name}`, import.meta.url)),
    ]),
  ),
  env: process.env,
});
onStopRequest({
  stop: () => void installation.stop().then(() => process.exit(0)),
  force: () => {
    installation.kill();
    process.exit(1);
  },
});
await installation.start().catch(async (error) => {
  if (installation.isStopping) return;
  process.stdout.write(`failed: ${error.message}\n`);
  await installation.stop();
  process.exit(1);
});
