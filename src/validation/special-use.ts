/** Reserved names (RFC 2606, 6761, 7686, 8375, 9476) that accept no mail, whatever DNS answers. */

const TOP_LEVEL = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);
const SECOND_LEVEL = new Set(['example.com', 'example.net', 'example.org']);

export function isSpecialUse(domain: string): boolean {
  const labels = domain.split('.');
  return TOP_LEVEL.has(labels.at(-1) ?? '') || SECOND_LEVEL.has(labels.slice(-2).join('.'));
}
