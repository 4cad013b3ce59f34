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
      'Make domains, keys, streams, webhooks, templates, settings and routes what postrider.yaml says; --url: over HTTP',
    explains: {
      '--file': 'the file to apply; postrider.yaml in this folder without it',
      '--org': 'the organization that the file is for, where it does not name any',
      '--url': 'an installation elsewhere, with the key in POSTRIDER_API_KEY',
      '--secrets': 'the file that new keys and secrets are added to, instead of being shown',
      '--prune': 'delete what the file no longer has',
      '--prune-used': 'with --prune: delete also what was used in the last 30 days',
      '--dry-run': 'show what would change, and change nothing',
      '--detailed-exitcode': 'with --dry-run, end with 2 where something would change',
      '--yes': 'apply the changes without a question',
    },
    example: 'apply -f mail/postrider.yaml --dry-run',
    run: async (context, _positionals, options) => (await import('./apply/apply.ts')).apply(context, options),
  },
  {
    name: 'apply export',
    optionalPositionals: ['FOLDER'],
    optional: { org: 'ID', url: 'URL' },
    flags: ['overwrite'],
    summary: 'Write postrider.yaml from what is there, into FOLDER with its templates as files, or print it',
    explains: {
      FOLDER: 'where postrider.yaml and the templates are written; without it, the file is printed',
      '--org': 'this organization only',
      '--url': 'an installation elsewhere, with the key in POSTRIDER_API_KEY',
      '--overwrite': 'replace files that exist',
    },
    example: 'apply export mail',
    run: async (context, [folder], options) =>
      (await import('./apply/export.ts')).exportAll(context, folder, options),
  },
];
