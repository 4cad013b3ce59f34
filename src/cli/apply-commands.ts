/**
 * Configuration as code. Its modules are loaded only for these commands, so that other commands start sooner.
 */
import type { Command } from './command.ts';

export const applyCommands: readonly Command[] = [
  {
    name: 'apply',
    optional: { file: 'FILE', org: 'ID', url: 'URL', secrets: 'FILE' },
    short: { file: 'f' },
    flags: ['prune', 'prune-used', 'dry-run', 'detailed-exitcode', 'yes'],
    summary:
      'Apply postrider.yaml: create and change domains, keys, streams, webhooks, templates, settings and routes; --url: over HTTP',
    explains: {
      '--file': 'the file to apply; the default is postrider.yaml in this folder',
      '--org': 'the organization to apply the file to, if the file names none',
      '--url': 'the URL of another installation; its key is in POSTRIDER_API_KEY',
      '--secrets': 'the file to add new keys and secrets to, instead of printing them',
      '--prune': 'delete objects that are no longer in the file',
      '--prune-used': 'with --prune: also delete objects that were used in the last 30 days',
      '--dry-run': 'show the changes without making them',
      '--detailed-exitcode': 'with --dry-run: exit with 2 if there are changes',
      '--yes': 'apply the changes without asking',
    },
    example: 'apply -f mail/postrider.yaml --dry-run',
    run: async (context, _positionals, options) => (await import('./apply/apply.ts')).apply(context, options),
  },
  {
    name: 'apply export',
    optionalPositionals: ['FOLDER'],
    optional: { org: 'ID', url: 'URL' },
    flags: ['overwrite'],
    summary:
      'Export the current configuration as postrider.yaml, into FOLDER with the templates as files, or print it',
    explains: {
      FOLDER:
        'the folder to write postrider.yaml and the templates into; without a folder, the file is printed',
      '--org': 'only this organization',
      '--url': 'the URL of another installation; its key is in POSTRIDER_API_KEY',
      '--overwrite': 'replace existing files',
    },
    example: 'apply export mail',
    run: async (context, [folder], options) =>
      (await import('./apply/export.ts')).exportAll(context, folder, options),
  },
];
