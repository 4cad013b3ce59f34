/** Character sets of mail under other versions of Node: TextDecoder of some reads windows-1252 as Latin-1. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const VERSIONS = ['20.20.2', '22.23.3', '24.20.0'];
const TESTS = ['src/protocols/message/reading/charset.test.ts', 'src/sandbox/charsets.test.ts'];
/** For a download, and a run of two small files, on a machine that is busy. */
const TIMEOUT_MS = 300_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-node-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program, as the registry has it for Linux; null where it cannot be had. */
async function download(version: string): Promise<string | null> {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
    const file = `${name}-${version}.tgz`;
    await run('tar', ['-xzf', file, '--transform', `s/^package/${version}/`, 'package/bin/node'], {
      cwd: folder,
    });
  } catch {
    return null;
  }
  const program = join(folder, version, 'bin', 'node');
  return existsSync(program) ? program : null;
}

/** This process is a worker of vitest, which another one must not take itself for. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_)/.test(name)),
  );
}

describe('texts in character sets of one byte', () => {
  it.for(VERSIONS)('are read right under Node %s', { timeout: TIMEOUT_MS }, async (version, { skip }) => {
    const node = await download(version);
    if (node === null) return skip(`Node ${version} cannot be downloaded`);
    const args = [VITEST, 'run', '--project', 'unit', ...TESTS];
    const check = `process.versions.node === '${version}' || process.exit(1)`;
    await run(node, ['-e', check]);
    await run(node, args, { cwd: ROOT, env: ownEnvironment() });
  });
});
