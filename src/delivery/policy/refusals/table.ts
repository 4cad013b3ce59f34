/**
 * The types of the table that maps refusals to reasons. To add a reply, add an entry to its provider (`providers.ts`) or program
 * (`software.ts`), or to `common-words.ts` where any server may send it. Use the fewest words that distinguish the reply, name
 * where it is documented or was seen, and add the whole reply to test/delivery/replies/replies-2026-11.json.
 */
import type { SmtpPhase } from '../../../protocols/smtp/facts.ts';
import type { OutcomeReason } from '../reasons.ts';

/** What a reply is about. Decides who has to fix the problem and which other mail may have to wait. */
export type About = 'recipient' | 'message' | 'sender_domain' | 'our_address' | 'their_server';

/** All that is given must hold; of each list one is enough. */
export interface Entry {
  /** Unique, and shown in explanations. */
  readonly id: string;
  readonly phases?: readonly SmtpPhase[];
  readonly codes?: readonly number[];
  /** True for 5xx, false for 4xx. */
  readonly permanent?: boolean;
  /** 'x' stands for any class or number; null wants a reply without enhanced code. */
  readonly enhanced?: readonly string[] | null;
  /** Phrases, see words.ts. */
  readonly words?: readonly string[];
  /** A second list of which one must be there, too. */
  readonly also?: readonly string[];
  /** Of these none. */
  readonly unless?: readonly string[];
  /** Parts of links and host names in the reply, in lower case. */
  readonly links?: readonly string[];
  readonly means: OutcomeReason;
  /** Where it differs from what the reason is usually about (effects.ts). */
  readonly about?: About;
  /** Whether a 5xx ends the delivery, where it differs from what is usual for the reason. A 4xx never does. */
  readonly final?: boolean;
  /** Never suppresses, although the reason usually does. */
  readonly keep?: true;
}

/** A provider or a program, and what its replies mean. */
export interface ReplySource {
  readonly name: string;
  /** Where its replies are documented, or were seen. */
  readonly source: string;
  /** The month its lines are of; what the source says may have changed since. */
  readonly written: string;
  /** Endings of its host names, at a dot. */
  readonly hosts?: readonly string[];
  /** Parts of links and host names that only it writes, by which it is known behind any other name. */
  readonly links?: readonly string[];
  /** Phrases that only it writes, by which it is known behind any host name. */
  readonly marks?: readonly string[];
  readonly says: readonly Entry[];
}

export const GREETING: readonly SmtpPhase[] = ['banner', 'ehlo'];
/** The recipient is known to the server, so its words can be about it. */
export const AFTER_RCPT: readonly SmtpPhase[] = ['rcpt', 'data', 'body', 'dot'];
/** The server has read the message, so its words can be about it. */
export const AFTER_MESSAGE: readonly SmtpPhase[] = ['data', 'body', 'dot'];
export const BEFORE_MESSAGE: readonly SmtpPhase[] = ['banner', 'ehlo', 'mail', 'rcpt'];
