/** The pages with generated parts, and what brings each up to date. */
import { CLI_PAGE, withCommands } from './cli-page.ts';
import { APPLY_PAGE, AUDIT_PAGE, CLIENT_PAGES, withAuditActions, withSettings } from './names.ts';
import { REASONS_PAGE, withReasons } from './reasons-page.ts';

export const GENERATED: Readonly<Record<string, (page: string) => string>> = {
  [APPLY_PAGE]: withSettings,
  [AUDIT_PAGE]: withAuditActions,
  [CLI_PAGE]: withCommands,
  [REASONS_PAGE]: withReasons,
  ...CLIENT_PAGES,
};
