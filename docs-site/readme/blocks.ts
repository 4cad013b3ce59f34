/** The parts of README.md that come from the code and from bench/RESULTS.md, between comments such as `simulator` and `/simulator`. */
import { type Benchmarks, benchmarkTable } from './benchmarks.ts';

export interface Facts {
  readonly version: string;
  readonly migrations: number;
  readonly simulatedNames: readonly string[];
  readonly results: Benchmarks;
}

/** The page with its generated parts brought up to date. */
export function withFacts(readme: string, { version, migrations, simulatedNames, results }: Facts): string {
  const blocks: readonly (readonly [string, (current: string) => string])[] = [
    ['version', (text) => text.replace(/Version \S+,/, `Version ${version},`)],
    ['migrations', (text) => text.replace(/\(\d+ migrations\)/, `(${migrations} migrations)`)],
    ['simulator', () => simulatedNames.map((name) => `\`${name}@\``).join(', ')],
    ['benchmarks', () => benchmarkTable(results)],
  ];
  return blocks.reduce((text, [name, write]) => replaceBlock(text, name, write), readme);
}

function replaceBlock(readme: string, name: string, write: (current: string) => string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)\\n?(<!-- /${name} -->)`);
  if (!pattern.test(readme)) throw new Error(`README.md has no block "${name}".`);
  return readme.replace(pattern, (_, begin, current, end) => `${begin}${write(current)}\n${end}`);
}
