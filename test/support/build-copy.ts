/** Copies the built programs into a folder, like an installed package, so that another version can be installed there. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['dist/processes', 'migrations', 'package.json'];
/** Large folders that are only read, so they are linked instead of copied. */
const LINKED = ['validation-data', 'dashboard/dist', 'docs-site/dist'];

export class BuildCopy {
  readonly folder: string;

  /** Copies from `from`: this build, or an installed package. */
  constructor(from: string = ROOT) {
    this.folder = mkdtempSync(join(tmpdir(), 'postrider-build-'));
    for (const one of LINKED) {
      mkdirSync(dirname(join(this.folder, one)), { recursive: true });
      symlinkSync(join(from, one), join(this.folder, one));
    }
    this.#copy(from);
  }

  program(name: string): string {
    return join(this.folder, 'dist', 'processes', `${name}.js`);
  }

  get migrations(): string[] {
    return readdirSync(join(this.folder, 'migrations'));
  }

  /** Replaces the installed version by this build with the given version number. */
  install(version: string): void {
    this.#copy(ROOT);
    const manifest = join(this.folder, 'package.json');
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
  }

  addMigrations(texts: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(texts))
      writeFileSync(join(this.folder, 'migrations', `${name}.sql`), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #copy(from: string): void {
    for (const one of COPIED) cpSync(join(from, one), join(this.folder, one), { recursive: true });
  }
}
