/** The names of all settings, read from the code that parses them. */
import { readFileSync } from 'node:fs';
import { SECRETS } from '../../src/runtime/secret-files.ts';

const SOURCES = [
  'config',
  'database-config',
  'cells-config',
  'dns-config',
  'identity-config',
  'smtp-config',
  'acme-config',
];

export function settingNames(): Set<string> {
  const named = SOURCES.flatMap((name) => [
    ...readFileSync(`src/runtime/${name}.ts`, 'utf8').matchAll(/'((?:POSTRIDER|DATABASE)_[A-Z_]+)'/g),
  ]);
  return new Set([...named.map(([, name = '']) => name), ...SECRETS.map((name) => `${name}_FILE`)]);
}
