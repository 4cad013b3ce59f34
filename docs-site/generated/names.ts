/** Lists of names in pages: the actions of the audit log, and the settings of an organization with the methods of the clients. */
import { DEEDS } from '../../dashboard/src/features/audit-log/words.ts';
import { SETTING_NAMES } from '../../src/organizations/settings/list.ts';
import { code } from '../reference/markdown.ts';
import { replaceBlock } from './block.ts';

export const AUDIT_PAGE = 'docs/operate/users.md';
export const APPLY_PAGE = 'docs/operate/apply.md';

/** A line for each noun. */
export function withAuditActions(page: string): string {
  const ofSettings = SETTING_NAMES.map((name) => `settings.${name.replaceAll('-', '_')}_changed`);
  const byNoun = new Map<string, string[]>();
  for (const action of new Set([...Object.keys(DEEDS), ...ofSettings].toSorted())) {
    const [noun = ''] = action.split('.');
    byNoun.set(noun, [...(byNoun.get(noun) ?? []), action]);
  }
  const lines = [...byNoun.values()].map((actions) => `- ${actions.map(code).join(', ')}`);
  return replaceBlock(AUDIT_PAGE, page, 'audit-actions', () => lines.join('\n'));
}

export function withSettings(page: string): string {
  return replaceBlock(
    APPLY_PAGE,
    page,
    'settings',
    () => `The settings are ${SETTING_NAMES.map(code).join(', ')}.`,
  );
}

const snakeCase = (words: string) => words.replaceAll('-', '_');
const camelCase = (words: string) => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const CLIENT_PAGES: Readonly<Record<string, (page: string) => string>> = {
  'clients/python/README.md': (page) => withSettingMethods(page, snakeCase),
  'clients/php/README.md': (page) => withSettingMethods(page, camelCase),
  'sdk/README.md': (page) => withSettingMethods(page, camelCase),
};

/** The row of the settings in a client's table of methods. */
function withSettingMethods(page: string, nameOf: (words: string) => string): string {
  const methods = SETTING_NAMES.flatMap((setting) => [nameOf(setting), nameOf(`update-${setting}`)]);
  return page.replace(/^\| `settings` .*$/m, `| \`settings\` | ${methods.map(code).join(', ')} |`);
}
