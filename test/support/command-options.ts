/** The options of a command such as `npm run storm`. Who asks for help, or writes one wrong, is told what there is. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process where there is nothing to do. */
export function commandOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  if (process.argv.slice(2).some((one) => one === '--help' || one === '-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}
