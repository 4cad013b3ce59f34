/** The entry point of `npm run bench`: lists the benches, runs one, smoke-tests all, or records results. */
import { benchFile, benchNames, loadBench } from './catalogue.ts';
import { record } from './record.ts';
import { smoke } from './smoke.ts';
import { supervise } from './supervise.ts';

const EXIT = { holds: 0, failed: 1, missingPeer: 2 } as const;
/** Longer than any bench takes. */
const LIMIT_MS = 6 * 60 * 60_000;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith('--'));
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.find((name) => !benchNames().includes(name));
  if (unknown !== undefined) return complain(`There is no bench ${JSON.stringify(unknown)}.`);
  switch (options.join(' ')) {
    case '':
      if (names.length > 1) return complain('Name one bench.');
      return names[0] === undefined ? list() : run(names[0]);
    case '--smoke':
      return smoke(names.length > 0 ? names : benchNames());
    case '--all':
      return names.length > 0 ? complain('To record some benches, use --write.') : record(benchNames());
    case '--write':
      return names.length > 0 ? record(names) : complain('Name the benches to record, or use --all.');
    default:
      return complain(`There is no option ${options.join(' ')}.`);
  }
}

async function complain(problem: string): Promise<number> {
  console.error(`${problem}\n`);
  await list();
  return EXIT.failed;
}

async function list(): Promise<number> {
  const rows: string[][] = [];
  for (const name of benchNames()) rows.push([name, (await loadBench(name)).claim]);
  const width = Math.max(...rows.map((row) => row[0]?.length ?? 0));
  console.log(`npm run bench -- NAME             measures one
npm run bench -- --smoke [NAME…]  tries all, or these, with small numbers
npm run bench -- --write NAME…    measures these and writes their results into bench/RESULTS.md
npm run bench -- --all            the same with all of them, on a quiet machine
`);
  for (const [name = '', claim] of rows) console.log(`  ${name.padEnd(width)}  ${claim}`);
  return 0;
}

async function run(name: string): Promise<number> {
  const order = { name, file: benchFile(name), size: 'full', limitMs: LIMIT_MS, isShown: true } as const;
  const ended = await supervise(order);
  if (ended.kind === 'skipped') return EXIT.missingPeer;
  if (ended.kind === 'measured') return ended.result.ratio >= ended.result.target ? EXIT.holds : EXIT.failed;
  console.error(`${name} ${ended.why}`);
  return EXIT.failed;
}
