#!/usr/bin/env node
// `postrider …` as it is installed: there is nothing to install or to build. In a checkout it is ../postrider.mjs.
import { nodeProblem } from './node-version.mjs';

const problem = nodeProblem();
if (problem === undefined) {
  await import('../dist/processes/cli.js');
} else {
  console.error(problem);
  process.exitCode = 1;
}
