#!/usr/bin/env node
// `npx postrider …` in a checkout: the command line tool, built first if need be. What that has to say goes
// to stderr, so that stdout holds the tool's own output only.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.error);
  await buildIfNeeded(console.error);
});
await import(pathToFileURL(path.join(root, 'dist', 'processes', 'cli.js')).href);
