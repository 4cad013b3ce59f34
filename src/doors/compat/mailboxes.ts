/** Mailboxes as other services write them, `Ada <ada@example.org>`, in the JSON of our own API. */
import { readAddressList } from '../../kit/message/reading/address-list.ts';

export interface MailboxJson {
  readonly email: unknown;
  readonly name?: string;
}

/** Room for many more than an email may have. What is longer is no list of them, and nobody waits for it to be read. */
const MAX_CHARS = 64 * 1024;

/** One text may hold several. What cannot be read stays as it is: our own schema says what is wrong with it. */
export function mailboxesIn(text: unknown): readonly MailboxJson[] {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return [{ email: text }];
  const found = readAddressList(text).map(({ address, name }) =>
    address.ok ? { email: address.email, ...(name === null ? {} : { name }) } : null,
  );
  const read = found.filter((one) => one !== null);
  return read.length === 0 || read.length < found.length ? [{ email: text }] : read;
}
