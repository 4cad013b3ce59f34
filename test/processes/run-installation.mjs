/**
 * `src/processes/start.ts` with roles of the test's choosing: `run-installation.mjs api.mjs stubborn.mjs`. The built
 * code, as users run it: translating the sources at every start took longer than everything else in these tests.
 */
import { fileURLToPath } from 'node:url';
import { onStopRequest } from '../../dist/processes/stop-signals.js';
import { loadConfig } from '../../dist/runtime/config.js';
import { createLog } from '../../dist/runtime/log.js';
import { Installation } from '../../dist/supervisor/installation.js';

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
  commandLine: fileURLToPath(new URL('../../dist/processes/cli.js', import.meta.url)),
  env: process.env,
});
onStopRequest({
  stop: () => void installation.stop().then(() => process.exit(0)),
  force: () => {
    if (installation.endWait()) return;
    installation.kill();
    process.exit(1);
  },
  renew: () => installation.restartRoles(),
});
await installation.start().catch(async (error) => {
  if (installation.isStopping) return;
  process.stdout.write(`failed: ${error.message}\n`);
  await installation.stop();
  process.exit(1);
});
