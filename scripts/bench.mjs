// `npm run bench` lists the benches and the options; `npm run bench -- NAME` runs one against a fresh build. Progress goes to
// stderr, the table to stdout, and the last line of stdout is one JSON object.
import os from 'node:os';
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root, run } from './lib/prepare.mjs';

await command(async () => {
  const args = process.argv.slice(2);
  await installIfNeeded(console.error);
  if (args.length > 0) await buildIfNeeded(console.error);
  // tsx translates the bench itself and leaves dist/, which is what is measured, as the compiler wrote it.
  const runner = path.join('bench', 'support', 'main.ts');
  const env = args.length > 0 ? await environmentOfRoles() : process.env;
  process.exitCode = await run(process.execPath, ['--import', 'tsx', runner, ...args], { cwd: root, env });
});

/** What is measured gets the thread pool that a role has. */
async function environmentOfRoles() {
  const { roleEnvironment } = await import('../dist/supervisor/node-settings.js');
  return roleEnvironment(process.env, os.availableParallelism());
}
