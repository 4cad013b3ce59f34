/** Pushes templates from files and pulls them back. Its modules are loaded only for these commands. */
import type { Command } from './command.ts';

export const templatesCommands: readonly Command[] = [
  {
    name: 'templates push',
    positionals: ['FOLDER'],
    optional: { org: 'ID', url: 'URL' },
    flags: ['draft', 'publish', 'dry-run', 'detailed-exitcode'],
    summary:
      'Compile the templates of FOLDER (html, hbs, MJML, React Email) and save the changed ones; --url: over HTTP',
    explains: {
      FOLDER: 'the folder with the templates',
      '--url': 'the URL of another installation; its key is in POSTRIDER_API_KEY',
      '--draft': 'save changes as drafts',
      '--publish': 'publish changes at once',
      '--dry-run': 'show the changes without making them',
      '--detailed-exitcode': 'with --dry-run: exit with 2 if there are changes',
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
      'Write the templates that have an alias into FOLDER, as files for `templates push`; --url: over HTTP',
    explains: {
      FOLDER: 'the folder to write the templates into',
      '--url': 'the URL of another installation; its key is in POSTRIDER_API_KEY',
      '--overwrite': 'replace existing files',
    },
    example: 'templates pull emails',
    run: async (context, [folder], options) =>
      (await import('./templates/pull.ts')).pull(context, folder ?? '', options),
  },
];
