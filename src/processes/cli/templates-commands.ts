/** Templates from files, and back into files. What it takes is loaded only for it. */
import type { Command } from './command.ts';

export const templatesCommands: readonly Command[] = [
  {
    name: 'templates push',
    positionals: ['FOLDER'],
    required: {},
    optional: { org: 'ID', url: 'URL' },
    flags: ['draft', 'publish', 'dry-run', 'detailed-exitcode'],
    summary:
      'Compile the templates of FOLDER (html, hbs, MJML, React Email) and save those that changed; --url: over HTTP',
    run: async (world, [folder], options) =>
      (await import('./templates/push.ts')).push(world, folder ?? '', options),
  },
  {
    name: 'templates pull',
    positionals: ['FOLDER'],
    required: {},
    optional: { org: 'ID', url: 'URL' },
    flags: ['overwrite'],
    summary:
      'Write the templates that have an alias into FOLDER, as files that `templates push` takes; --url: over HTTP',
    run: async (world, [folder], options) =>
      (await import('./templates/pull.ts')).pull(world, folder ?? '', options),
  },
];
