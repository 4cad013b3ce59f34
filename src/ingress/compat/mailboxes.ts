/** Converts mailboxes in other services' notation, `Ada <ada@example.org>`, to our API's JSON. */
import { readAddressList } from '../../protocols/message/reading/address-list.ts';

export interface MailboxJson {
  readonly email: unknown;
  readonly name?: string;
}

/** Longer texts exceed any valid list and are not parsed. */
const MAX_CHARS = 64 * 1024;

/**
 * One text may contain several mailboxes, of which at most `most` are parsed. Unparseable text stays
 * unchanged, for our own schema to report.
 */
export function mailboxesIn(text: unknown, most = MORE_THAN_ANY): readonly MailboxJson[] {
  if (typeof text !== 'string' || text.length > MAX_CHARS) return [{ email: text }];
  const found = readAddressList(text, most).map(({ address, name }) =>
    address.ok ? { email: address.email, ...(name === null ? {} : { name }) } : null,
  );
  const read = found.filter((one) => one !== null);
  return read.length === 0 || read.length < found.length ? [{ email: text }] : read;
}

/** For a list whose entries may each contain several mailboxes, up to the limit of an email. */
export function mailboxesInAll(texts: readonly unknown[]): readonly MailboxJson[] {
  const mailboxes: MailboxJson[] = [];
  let left = MAX_CHARS;
  for (const text of startOf(texts)) {
    left -= typeof text === 'string' ? text.length : 0;
    mailboxes.push(...(left < 0 ? [{ email: text }] : mailboxesIn(text)));
  }
  return startOf(mailboxes);
}

/** One more than an email's lists may hold: longer lists are still refused, and cost little to translate. */
const MORE_THAN_ANY = 101;

export function startOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MORE_THAN_ANY);
}
