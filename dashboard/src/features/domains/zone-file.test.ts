import { expect, it } from 'vitest';
import { zoneFile } from './zone-file.ts';

it('splits long values and escapes quotes, as zone files want it', () => {
  const value = `v=DKIM1; p=${'x'.repeat(300)}"`;
  const line = zoneFile([{ type: 'TXT', name: 'k._domainkey.example.org', value }]);
  const [, strings = ''] = /^k\._domainkey\.example\.org\. 3600 IN TXT (.*)$/.exec(line) ?? [];
  const parts = [...strings.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) =>
    (found[1] ?? '').replace(/\\(.)/g, '$1'),
  );
  expect(parts.every((part) => part.length <= 255)).toBe(true);
  expect(parts.join('')).toBe(value);
});
