/** Mailboxes as other services write them, `Ada <ada@example.org>`, in the JSON of our own API. */
import { readAddressList } from '../../protocols/message/reading/address-list.ts';
import { MORE_THAN_ANY, startOf } from './start-of.ts';

export interface MailboxJson {
  readonly email: unknown;
  readonly name?: string;
}

/** Room for many more than an email may have. What is longer is no list of them, and nobody waits for it to be read. */
const MAX_CHARS = 64 * 1024;

/**
 * One text may hold several, of which no more than `most` are read. What cannot be read stays as it is: our own schema says
 * what is wrong with it.
 */
export function mailboxesIn(text: unknown, most = MORE_THAN_ANY): readonly MailboxJson[] {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return [{ email: text }];
  const found = readAddressList(text, most).map(({ address, name }) =>
    address.ok ? { email: address.email, ...(name === null ? {} : { name }) } : null,
  );
  const read = found.filter((one) => one !== null);
  return read.length === 0 || read.length < found.length ? [{ email: text }] : read;
}

/** Of a list whose entries may each hold several, as far as an email may have any. Entries beyond the room are not read. */
export function mailboxesInAll(texts: readonly unknown[]): readonly MailboxJson[] {
  const mailboxes: MailboxJson[] = [];
  let left = MAX_CHARS;
  for (const text of startOf(texts)) {
    left -= typeof text === 'string' ? text.length : 0;
    mailboxes.push(...(left < 0 ? [{ email: text }] : mailboxesIn(text)));
  }
  return startOf(mailboxes);
}
