/** `npm run readme`: brings the generated parts of README.md up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withFacts } from './blocks.ts';
import { README, readFacts } from './facts.ts';

writeFileSync(README, withFacts(readFileSync(README, 'utf8'), readFacts()));
