/** The pages and the doctor name everything that the secret key encrypts. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { secretKeyCheck } from '../../src/doctor/machine/secret-key.ts';
import { SEALED } from '../../src/operations/secret-keys/reseal.ts';
import type { KeyRing } from '../../src/runtime/key-ring.ts';
import type { KeyPurpose } from '../../src/runtime/secret-key.ts';

const WORDS: Partial<Record<KeyPurpose, string>> = {
  'dkim-keys': 'DKIM keys',
  'webhook-secrets': 'webhook secrets',
  'totp-secrets': 'second factors',
  'relay-passwords': 'passwords of relays',
  'certificate-keys': 'keys of certificates',
  'acme-accounts': 'keys of certificates and ACME accounts',
  'data-keys': 'hashes of erased addresses',
};

/** The purposes for which a key is derived when a value of each column is encrypted. */
function purposes(): KeyPurpose[] {
  const found = new Set<KeyPurpose>();
  const derive = (purpose: KeyPurpose) => {
    found.add(purpose);
    return Buffer.alloc(32);
  };
  const ring = { current: { id: '0'.repeat(16), derive } } as unknown as KeyRing;
  for (const { box } of SEALED) box(ring).seal('owner', Buffer.from('secret'));
  return [...found];
}

const page = (name: string) =>
  readFileSync(`docs/${name}.md`, 'utf8').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

it.each([
  ['the page about secrets', page('operate/secrets')],
  ['the settings', page('deploy/configuration')],
  ['the example of the doctor', page('operate/doctor')],
  ['the doctor', secretKeyCheck.matters],
])('%s: the list of encrypted values is complete', (_, text) => {
  const words = purposes().map((purpose) => WORDS[purpose] ?? `no words for ${purpose}`);
  const folded = text.replace(/\s+/g, ' ');
  expect(words.filter((one) => !folded.includes(one))).toEqual([]);
});
