/** Lists the benches: every file in bench/. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';

const FOLDER = new URL('..', import.meta.url);
const ENDING = '.ts';

export function benchNames(): string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
}

export function benchFile(name: string): string {
  return fileURLToPath(new URL(`${name}${ENDING}`, FOLDER));
}

export async function loadBench(name: string): Promise<Bench> {
  return (await import(new URL(`${name}${ENDING}`, FOLDER).href)) as Bench;
}
