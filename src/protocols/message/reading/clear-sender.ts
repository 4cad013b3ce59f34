/**
 * Whether every program reads the same senders in a From field. Address lists have comments, groups, routes and obsolete forms, which
 * programs read in different ways; only what all of them agree about is clear. Pure.
 */
import { readAddressList } from './address-list.ts';
import { decodeHeaderText } from './encoded-words.ts';

const NAME = String.raw`(?:[^"()<>@,;:\\[\]\x00-\x1f\x7f]|"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*")*`;
const ADDRESS = String.raw`[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+@[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+`;
/** What old Unix programs write behind an address: the name. */
const COMMENT = String.raw`(?: +\([^"()<>@,;:\\\x00-\x1f\x7f]*\))?`;
/** A name may begin with blanks, so nothing else before it may match them: that would take quadratic time. */
const MAILBOX = `(?:${NAME}<${ADDRESS}>| *${ADDRESS}${COMMENT}) *`;
const MAILBOXES = new RegExp(`^${MAILBOX}(?:,${MAILBOX})*$`);
/** An encoded word is text for people, and never a part of an address. */
const ENCODED_ADDRESS = /=\?[^\s<>]*\?=[^\s<>]*@|@[^\s<>]*=\?/;
const CONTROL = /[\x00-\x1f\x7f]/;

/** What is not clear, as a sentence; null where everything is. */
export function senderProblem(from: string): string | null {
  const isClear =
    MAILBOXES.test(from) && !ENCODED_ADDRESS.test(from) && !CONTROL.test(decodeHeaderText(from));
  const listed = isClear ? readAddressList(from) : [];
  if (listed.length === 0 || listed.some(({ address }) => !address.ok))
    return 'From is written in a way that programs read differently.';
  return null;
}
