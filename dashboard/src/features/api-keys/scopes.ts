/** What a key may do, in words; the least first. */
import type { API_KEY_SCOPES } from '@postrider/sdk';

export type Scope = (typeof API_KEY_SCOPES)[number];

export const SCOPES: readonly { readonly key: Scope; readonly label: string; readonly words: string }[] = [
  {
    key: 'send',
    label: 'Send mail',
    words: 'Sends mail, checks addresses and looks up its own mail. Enough for most programs.',
  },
  {
    key: 'agent',
    label: 'Agent',
    words:
      'Sends mail, looks up the status of its own mail, and reads templates and domains. Does not read the content of mail.',
  },
  {
    key: 'read',
    label: 'Read everything',
    words: 'Reads everything, including the content of mail, and changes nothing.',
  },
  {
    key: 'full',
    label: 'Everything',
    words: 'Does everything that a member can do, including creating keys.',
  },
];

export function scopeOf(key: Scope) {
  return SCOPES.find((scope) => scope.key === key) ?? { key, label: key, words: '' };
}
