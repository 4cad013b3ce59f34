/**
 * What is said to a mail server that brings something back.
 *
 * It owns, between MAIL and the end of DATA, who sends and to which of our mailboxes. There is no login, no relaying and
 * one recipient per message: a report is about one delivery. The same report twice changes nothing.
 */
import type { ClientLimits } from '../../kit/smtp/server/client-limits.ts';
import type { SmtpCommand, SmtpPath } from '../../kit/smtp/server/commands.ts';
import type { Client, Dialogue } from '../../kit/smtp/server/dialogue.ts';
import { MessageReader } from '../../kit/smtp/server/message-reader.ts';
import { REPLIES, type Reply } from '../../kit/smtp/server/replies.ts';
import { MAX_REPORT_BYTES } from '../aggregate/read-aggregate.ts';
import type { ServedMailbox } from './mailboxes.ts';
import { INBOUND_REPLIES } from './replies.ts';
import type { ReportMemory } from './report-memory.ts';
import type { ReachMailbox } from './served-domains.ts';

/** A message that was sent to one of our mailboxes. */
export interface Received {
  readonly mailbox: ServedMailbox;
  readonly mailFrom: string;
  readonly remoteAddress: string;
  /** Of the whole message; `head` is its beginning. */
  readonly size: number;
  readonly head: Buffer;
}

/**
 * What a server may send by the thousand is a bounce to an address that only we could have signed; everything that
 * anybody can do is counted more strictly.
 */
export type InboundCounted =
  | 'messages'
  /** To addresses that anybody knows: abuse, fbl, postmaster. */
  | 'openMessages'
  /** Recipients that there are not: guessing is slow. */
  | 'unknownRecipients';

export interface InboundDialogueOptions {
  readonly find: ReachMailbox;
  readonly limits: ClientLimits<InboundCounted>;
  readonly memory: ReportMemory;
  /** Resolves when the message is committed; 'full' when there is no room for it. */
  readonly store: (message: Received) => Promise<'stored' | 'full' | 'failed'>;
}

/** What the reports we read say, they say in the first part of this. */
export const KEPT_BYTES = 256 * 1024;

export class InboundDialogue implements Dialogue {
  readonly #options: InboundDialogueOptions;
  readonly #remoteAddress: string;
  #mailFrom = '';
  #mailbox: ServedMailbox | null = null;
  /** Of the memory for large reports. */
  #heldBytes = 0;
  /** Recipients are looked up one after the other: there is room for one. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(remoteAddress: string, options: InboundDialogueOptions) {
    this.#remoteAddress = remoteAddress;
    this.#options = options;
  }

  /** Mail that demands TLS has bounces that do (RFC 8689, section 5): they end here, so the promise is kept. */
  offers({ isSecured }: Client): readonly string[] {
    return isSecured ? ['REQUIRETLS'] : [];
  }

  parameters(client: Client): readonly string[] {
    return this.offers(client);
  }

  mail({ address }: SmtpPath): Reply {
    this.#mailFrom = address;
    return REPLIES.senderOk;
  }

  recipient(address: string): Promise<Reply> {
    const answer = this.#before.then(() => this.#lookUp(address));
    this.#before = answer;
    return answer;
  }

  async #lookUp(address: string): Promise<Reply> {
    if (this.#mailbox !== null) return INBOUND_REPLIES.oneRecipient;
    const { find, limits } = this.#options;
    const found = await find(address);
    if (found.kind === 'unsure') return INBOUND_REPLIES.cannotLookUp;
    if (found.kind !== 'return_path' && found.kind !== 'open' && found.kind !== 'report') {
      limits.allows(this.#remoteAddress, 'unknownRecipients');
      return NOT_FOUND[found.kind];
    }
    const counted = found.kind === 'return_path' ? 'messages' : 'openMessages';
    if (!limits.allows(this.#remoteAddress, counted)) return INBOUND_REPLIES.tooFast;
    this.#mailbox = found;
    return REPLIES.recipientOk;
  }

  reader(): MessageReader {
    if (this.#mailbox?.kind !== 'report') return new MessageReader(KEPT_BYTES);
    return new MessageReader(MAX_REPORT_BYTES, (bytes) => this.#hold(bytes));
  }

  /** Large reports take turns: all connections together hold no more of them than there is room for. */
  #hold(bytes: number): boolean {
    if (bytes <= KEPT_BYTES || bytes <= this.#heldBytes) return true;
    // In the steps in which the buffer grows.
    const wanted = Math.min(2 * bytes, MAX_REPORT_BYTES);
    if (!this.#options.memory.take(wanted - this.#heldBytes)) return false;
    this.#heldBytes = wanted;
    return true;
  }

  async take(message: MessageReader): Promise<Reply> {
    const mailbox = this.#mailbox;
    if (mailbox === null) return REPLIES.noRecipient;
    if (!message.isKept) return INBOUND_REPLIES.full;
    const { size } = message;
    const received = { mailFrom: this.#mailFrom, remoteAddress: this.#remoteAddress, size };
    return STORED[await this.#options.store({ mailbox, ...received, head: message.head() })];
  }

  reset(): void {
    this.#options.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
    this.#mailbox = null;
  }

  command({ verb }: SmtpCommand): Reply | undefined {
    return verb === 'AUTH' ? INBOUND_REPLIES.noAuthentication : undefined;
  }

  isError({ code }: Reply): boolean {
    return code >= 500;
  }
}

const NOT_FOUND = {
  unknown: INBOUND_REPLIES.unknownMailbox,
  expired: INBOUND_REPLIES.expiredMailbox,
  elsewhere: INBOUND_REPLIES.elsewhere,
} as const;
const STORED = {
  stored: INBOUND_REPLIES.stored,
  full: INBOUND_REPLIES.full,
  failed: INBOUND_REPLIES.notStored,
} as const;
