/** Finds the places of refused recipients in a draft. */

import type { Addresses, RecipientKind } from '../../emails/email.ts';
import type { EmailAddress } from '../../protocols/message/address.ts';

export interface AtRecipient {
  readonly at: { readonly list: RecipientKind; readonly index: number };
  readonly email: EmailAddress;
}

/** Each place that names an address for which `find` returns something; an address may occur more than once. */
export function recipientsWith<T>(
  addresses: Addresses,
  find: (email: EmailAddress) => T | undefined,
): (AtRecipient & T)[] {
  return (['to', 'cc', 'bcc'] as const).flatMap((list) =>
    addresses[list].flatMap(({ email }, index) => {
      const found = find(email);
      return found === undefined ? [] : [{ at: { list, index }, email, ...found }];
    }),
  );
}
