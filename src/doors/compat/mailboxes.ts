/** Mailboxes as other services write them, `Ada <ada@example.org>`, in the JSON of our own API. */
import { readAddressList } from '../../kit/message/reading/address-list.ts';

export interface MailboxJson {
  readonly email: unknown;
  readonly name?: string;
}

/** One text may hold several. What cannot be read stays as it is: our own schema says what is wrong with it. */
export function mailboxesIn(text: unknown): readonly MailboxJson[] {
  if (typeof text !== 'string') return [{ email: text }];
  const found = readAddressList(text).map(({ address, name }) =>
    address.ok ? { email: address.email, ...(name === null ? {} : { name }) } : null,
  );
  const read = found.filter((one) => one !== null);
  return read.length === 0 || read.length < found.length ? [{ email: text }] : read;
}
