/** What the generated parts of README.md are made from. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SIMULATED_NAMES } from '../../src/sandbox/simulator.ts';
import { ROOT } from '../site/sources.ts';
import type { Facts } from './blocks.ts';

export const README = path.join(ROOT, 'README.md');

export function readFacts(): Facts {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return {
    version,
    migrations: readdirSync(path.join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql')).length,
    simulatedNames: SIMULATED_NAMES,
    results: readFileSync(path.join(ROOT, 'bench', 'RESULTS.md'), 'utf8'),
  };
}
