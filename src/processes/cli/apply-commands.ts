/** Configuration as code. What it takes is loaded only for it: the other commands start sooner that way. */
import type { Command } from './command.ts';

export const applyCommands: readonly Command[] = [
  {
    name: 'apply export',
    positionals: [],
    optionalPositionals: ['FOLDER'],
    required: {},
    optional: { org: 'ID', url: 'URL' },
    flags: ['overwrite'],
    summary: 'Write postrider.yaml from what is there, into FOLDER with its templates as files, or print it',
    run: async (world, [folder], options) =>
      (await import('./apply/export.ts')).exportAll(world, folder, options),
  },
  {
    name: 'apply',
    positionals: [],
    required: {},
    optional: { file: 'FILE', org: 'ID', url: 'URL', secrets: 'FILE' },
    short: { file: 'f' },
    flags: ['prune', 'prune-used', 'dry-run', 'detailed-exitcode', 'yes'],
    summary:
      'Make domains, keys, streams, webhooks, templates, settings and routes what postrider.yaml says; --url: over HTTP',
    run: async (world, _positionals, options) => (await import('./apply/apply.ts')).apply(world, options),
  },
];
