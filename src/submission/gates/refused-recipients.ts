/** Where in a draft the recipients stand that a gate refuses. */

import type { Addresses, RecipientKind } from '../../emails/email.ts';
import type { EmailAddress } from '../../protocols/message/address.ts';

export interface AtRecipient {
  readonly at: { readonly list: RecipientKind; readonly index: number };
  readonly email: EmailAddress;
}

/** Each place that names an address which `find` has something about; an address may be named more than once. */
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
