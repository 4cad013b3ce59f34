/** The pages of docs/ with generated parts, and what brings each up to date. */
import { CLI_PAGE, withCommands } from './cli-page.ts';
import { REASONS_PAGE, withReasons } from './reasons-page.ts';

export const GENERATED: Readonly<Record<string, (page: string) => string>> = {
  [CLI_PAGE]: withCommands,
  [REASONS_PAGE]: withReasons,
};
