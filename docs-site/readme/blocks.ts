/** The parts of README.md that come from the code and from bench/RESULTS.md, between comments such as `simulator` and `/simulator`. */
import { replaceBlock } from '../generated/block.ts';
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
  return blocks.reduce((text, [name, write]) => replaceBlock('README.md', text, name, write), readme);
}
