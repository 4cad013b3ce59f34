/** Pushes templates from files and pulls them back. Its modules are loaded only for these commands. */
import type { Command } from './command.ts';

export const templatesCommands: readonly Command[] = [
  {
    name: 'templates push',
    positionals: ['FOLDER'],
    optional: { org: 'ID', url: 'URL' },
    flags: ['draft', 'publish', 'dry-run', 'detailed-exitcode'],
    summary:
      'Compile the templates of FOLDER (html, hbs, MJML, React Email) and save those that changed; --url: over HTTP',
    explains: {
      FOLDER: 'the folder with the templates',
      '--url': 'an installation elsewhere, with the key in POSTRIDER_API_KEY',
      '--draft': 'save changes as drafts',
      '--publish': 'publish changes at once',
      '--dry-run': 'show what would change, and change nothing',
      '--detailed-exitcode': 'with --dry-run, end with 2 where something would change',
    },
    example: 'templates push emails --dry-run',
    run: async (context, [folder], options) =>
      (await import('./templates/push.ts')).push(context, folder ?? '', options),
  },
  {
    name: 'templates pull',
    positionals: ['FOLDER'],
    optional: { org: 'ID', url: 'URL' },
    flags: ['overwrite'],
    summary:
      'Write the templates that have an alias into FOLDER, as files that `templates push` takes; --url: over HTTP',
    explains: {
      FOLDER: 'the folder to write the templates into',
      '--url': 'an installation elsewhere, with the key in POSTRIDER_API_KEY',
      '--overwrite': 'replace files that exist',
    },
    example: 'templates pull emails',
    run: async (context, [folder], options) =>
      (await import('./templates/pull.ts')).pull(context, folder ?? '', options),
  },
];
