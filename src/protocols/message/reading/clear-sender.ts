/**
 * Checks whether every program reads the same senders in a From field. Comments, groups, routes and obsolete
 * forms of address lists are parsed differently; only forms on which all agree are accepted. Pure.
 */
import { readAddressList } from './address-list.ts';
import { decodeHeaderText } from './encoded-words.ts';

const NAME = String.raw`(?:[^"()<>@,;:\\[\]\x00-\x1f\x7f]|"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*")*`;
const ADDRESS = String.raw`[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+@[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+`;
/** The name in a comment after the address, as old Unix programs write it. */
const COMMENT = String.raw`(?: +\([^"()<>@,;:\\\x00-\x1f\x7f]*\))?`;
/**
 * A name may begin with blanks, so no other part before it may match them: that would take quadratic time.
 */
const MAILBOX = `(?:${NAME}<${ADDRESS}>| *${ADDRESS}${COMMENT}) *`;
const MAILBOXES = new RegExp(`^${MAILBOX}(?:,${MAILBOX})*$`);
/** An encoded word is display text and never part of an address. */
const ENCODED_ADDRESS = /=\?[^\s<>]*\?=[^\s<>]*@|@[^\s<>]*=\?/;
const CONTROL = /[\x00-\x1f\x7f]/;

/** The ambiguity as a sentence; null without one. */
export function senderProblem(from: string): string | null {
  const isClear =
    MAILBOXES.test(from) && !ENCODED_ADDRESS.test(from) && !CONTROL.test(decodeHeaderText(from));
  const listed = isClear ? readAddressList(from) : [];
  if (listed.length === 0 || listed.some(({ address }) => !address.ok))
    return 'From is written in a way that programs read differently.';
  return null;
}
