/**
 * The SMTP dialogue with a mail server that delivers mail here.
 *
 * Between MAIL and the end of DATA, it owns the sender and the recipients: one of the installation's own mailboxes, or
 * addresses at which organizations receive mail. There is no login and no relaying. A report has one recipient, because it
 * concerns one delivery; a repeated report changes nothing.
 */
import { badByte } from '../../protocols/message/reading/bad-byte.ts';
import type { ClientLimits } from '../../protocols/smtp/server/client-limits.ts';
import type { SmtpCommand, SmtpPath } from '../../protocols/smtp/server/commands.ts';
import type { Client, Dialogue } from '../../protocols/smtp/server/dialogue.ts';
import { MessageReader } from '../../protocols/smtp/server/message-reader.ts';
import { REPLIES, type Reply } from '../../protocols/smtp/server/replies.ts';
import type { Receiver } from '../../received/receivers.ts';
import { remoteNetwork } from '../../runtime/caller-address.ts';
import type { SharedCapacity } from '../../runtime/work-loop/shared-capacity.ts';
import { MAX_REPORT_BYTES } from '../aggregate/read-aggregate.ts';
import { hopsOf } from '../received/header-facts.ts';
import type { IncomingMail } from '../received/intake.ts';
import { MAX_HOPS, MAX_RECEIVED_BYTES, MAX_RECEIVERS } from '../received/limits.ts';
import type { ServedMailbox } from './mailboxes.ts';
import { INBOUND_REPLIES } from './replies.ts';
import type { ReachMailbox } from './served-domains.ts';

/** A message to one of the installation's own mailboxes. */
export interface Received {
  readonly mailbox: ServedMailbox;
  readonly mailFrom: string;
  readonly remoteAddress: string;
  /** Of the whole message; `head` is its beginning. */
  readonly size: number;
  readonly head: Buffer;
}

/**
 * Rate limits per kind of mail. Bounces to signed addresses may come by the thousand; everything that any client can send has
 * stricter limits.
 */
export type InboundCounted =
  | 'messages'
  /** To public addresses: abuse, fbl, postmaster. */
  | 'openMessages'
  /** To addresses at which organizations receive mail. */
  | 'receivedMessages'
  /** Unknown recipients: this limit slows down guessing. */
  | 'unknownRecipients';

export interface InboundDialogueOptions {
  readonly find: ReachMailbox;
  readonly limits: ClientLimits<InboundCounted>;
  /** The memory for large reports in transfer; one client address may use at most half of it. */
  readonly memory: SharedCapacity;
  /** Resolves when the message is committed; 'full' if there is no room for it. */
  readonly store: (message: Received) => Promise<'stored' | 'full' | 'failed'>;
  readonly receiving: {
    /** The same for mail to organizations. */
    readonly memory: SharedCapacity;
    readonly mayReceive: (organizationId: string) => Promise<boolean>;
    readonly store: (mail: IncomingMail) => Promise<'stored' | 'full' | 'failed'>;
  };
}

/** Reports state everything that is read in this first part. */
export const KEPT_BYTES = 256 * 1024;

export class InboundDialogue implements Dialogue {
  readonly isLoggedIn = false;
  readonly idleReply = REPLIES.noMail;
  readonly #options: InboundDialogueOptions;
  readonly #remoteAddress: string;
  #mailFrom = '';
  #client: Client | null = null;
  #declaredBytes = 0;
  #mailbox: ServedMailbox | null = null;
  #receivers: Receiver[] = [];
  /** This session's share of the memory for large messages. */
  #heldBytes = 0;
  /** Recipients are looked up one after the other, because a report may have only one. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(remoteAddress: string, options: InboundDialogueOptions) {
    this.#remoteAddress = remoteAddress;
    this.#options = options;
  }

  /** Mail that requires TLS has bounces that do, too (RFC 8689, section 5). They end here, so the requirement is met. */
  offers({ isSecured }: Client): readonly string[] {
    return isSecured ? ['REQUIRETLS'] : [];
  }

  parameters(client: Client): readonly string[] {
    return this.offers(client);
  }

  readonly recipientParameters: readonly string[] = [];
  readonly takesChunks = false;

  mail({ address, parameters }: SmtpPath, client: Client): Reply {
    this.#mailFrom = address;
    this.#client = client;
    this.#declaredBytes = Number(parameters.get('SIZE') ?? 0);
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
    // Checked before any lookup: beyond the limit, guesses cost the database nothing.
    if (limits.isOver(this.#remoteAddress, 'unknownRecipients')) return INBOUND_REPLIES.tooFast;
    const found = await find(address);
    if (found.kind === 'unsure') return INBOUND_REPLIES.cannotLookUp;
    if (found.kind === 'received') return this.#addReceiver(found.receiver);
    if (found.kind !== 'return_path' && found.kind !== 'open' && found.kind !== 'report') {
      limits.allows(this.#remoteAddress, 'unknownRecipients');
      return NOT_FOUND[found.kind];
    }
    if (this.#receivers.length > 0) return INBOUND_REPLIES.oneRecipient;
    const counted = found.kind === 'return_path' ? 'messages' : 'openMessages';
    if (!limits.allows(this.#remoteAddress, counted)) return INBOUND_REPLIES.tooFast;
    this.#mailbox = found;
    return REPLIES.recipientOk;
  }

  async #addReceiver(receiver: Receiver): Promise<Reply> {
    const { limits, receiving } = this.#options;
    if (this.#declaredBytes > MAX_RECEIVED_BYTES) return INBOUND_REPLIES.tooLargeHere;
    if (this.#receivers.some(({ address }) => address === receiver.address)) return REPLIES.recipientOk;
    if (this.#receivers.length >= MAX_RECEIVERS) return INBOUND_REPLIES.tooManyReceivers;
    if (!limits.allows(this.#remoteAddress, 'receivedMessages')) return INBOUND_REPLIES.tooFast;
    try {
      if (!(await receiving.mayReceive(receiver.organizationId))) return INBOUND_REPLIES.mailboxFull;
    } catch {
      return INBOUND_REPLIES.cannotLookUp;
    }
    this.#receivers.push(receiver);
    return REPLIES.recipientOk;
  }

  reader(): MessageReader {
    if (this.#receivers.length > 0)
      return new MessageReader(MAX_RECEIVED_BYTES, (bytes) => this.#hold(bytes, MAX_RECEIVED_BYTES));
    if (this.#mailbox?.kind !== 'report') return new MessageReader(KEPT_BYTES);
    return new MessageReader(MAX_REPORT_BYTES, (bytes) => this.#hold(bytes, MAX_REPORT_BYTES));
  }

  /** Reserves memory: all connections, and those of one address, hold no more large messages than there is room for. */
  #hold(bytes: number, max: number): boolean {
    if (bytes <= KEPT_BYTES || bytes <= this.#heldBytes) return true;
    // In the steps in which the buffer grows.
    const wanted = Math.min(2 * bytes, max);
    if (wanted <= this.#heldBytes) return true;
    if (!this.#memory.take(remoteNetwork(this.#remoteAddress), wanted - this.#heldBytes)) return false;
    this.#heldBytes = wanted;
    return true;
  }

  get isMemoryShort(): boolean {
    return this.#heldBytes > 0 && this.#memory.isShort;
  }

  get #memory(): SharedCapacity {
    return this.#receivers.length > 0 ? this.#options.receiving.memory : this.#options.memory;
  }

  async take(message: MessageReader): Promise<Reply> {
    const mailbox = this.#mailbox;
    if (this.#receivers.length > 0) return this.#receive(message);
    if (mailbox === null) return REPLIES.noRecipient;
    if (!message.isKept) return INBOUND_REPLIES.full;
    const { size } = message;
    const received = { mailFrom: this.#mailFrom, remoteAddress: this.#remoteAddress, size };
    return STORED[await this.#options.store({ mailbox, ...received, head: message.head() })];
  }

  async #receive(message: MessageReader): Promise<Reply> {
    if (message.size > MAX_RECEIVED_BYTES) return INBOUND_REPLIES.tooLargeHere;
    if (!message.isKept) return INBOUND_REPLIES.full;
    const raw = message.head();
    if (hopsOf(raw) > MAX_HOPS) return INBOUND_REPLIES.tooManyHops;
    // A mail reader with other rules for line ends would show another sender than the verified one.
    if ((await badByte(raw)) !== null) return INBOUND_REPLIES.badByte;
    const mail = {
      receivers: this.#receivers,
      mailFrom: this.#mailFrom,
      remoteAddress: this.#remoteAddress,
      helo: this.#client?.helo ?? '',
      secured: this.#client?.isSecured ?? false,
      raw,
    };
    return STORED[await this.#options.receiving.store(mail)];
  }

  reset(): void {
    if (this.#heldBytes > 0) this.#memory.release(remoteNetwork(this.#remoteAddress), this.#heldBytes);
    this.#heldBytes = 0;
    this.#mailbox = null;
    this.#receivers = [];
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
