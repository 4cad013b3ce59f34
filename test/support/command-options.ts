/** Parses the options of a command such as `npm run storm`. Prints the available options on --help or an unknown option. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process after --help or an error. */
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
