import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-paths-'));
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(folder, 'app', 'proofs'), { recursive: true });
  const bin = join(folder, 'node_modules', '.bin', 'postrider');
  const program = pathToFileURL(resolve('dist/processes/cli.js')).href;
  writeFileSync(bin, `#!/usr/bin/env node\nimport(${JSON.stringify(program)});\n`);
  chmodSync(bin, 0o755);
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "shop", "version": "1.0.0", "workspaces": ["app"] }',
  );
  writeFileSync(join(folder, 'app', 'package.json'), '{ "name": "app", "version": "1.0.0" }');
  writeFileSync(join(folder, 'app', 'proofs', 'one.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

it('takes a relative path from the folder that npx is called in, also within a workspace', async () => {
  const { npm_lifecycle_event: _event, npm_package_json: _manifest, INIT_CWD: _from, ...env } = process.env;
  const cwd = join(folder, 'app', 'proofs');
  const ran = await promisify(execFile)('npx', ['postrider', 'verify-proof', 'one.json'], { cwd, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  // The file was read: what is wrong is its content.
  expect(ran.stderr).not.toContain('cannot be read');
  expect(ran.stdout).toContain('The proof is not valid.');
});
