/**
 * The sandbox's side of an SMTP session.
 *
 * Owns the transaction: the delivery that the return path names, and the accepted recipients. A return path that this
 * installation did not sign is refused, so another program on this machine cannot put mail into an inbox. Recipients at
 * the simulator are answered as the simulator says.
 */
import { isUnavailable } from '../database/errors.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import type { SmtpPath } from '../protocols/smtp/server/commands.ts';
import type { Dialogue } from '../protocols/smtp/server/dialogue.ts';
import { MessageReader } from '../protocols/smtp/server/message-reader.ts';
import { REPLIES, type Reply, reply } from '../protocols/smtp/server/replies.ts';
import type { Log } from '../runtime/log.ts';
import { behaviorFor, type SimulatedBehavior } from './simulator.ts';

interface SandboxRecipient {
  /** As the client wrote it. */
  readonly address: string;
  readonly behavior: Exclude<SimulatedBehavior, { readonly kind: 'refuse' }>;
}

export interface SandboxEnvelope {
  readonly delivery: DeliveryRef;
  readonly mailFrom: string;
  readonly recipients: readonly SandboxRecipient[];
}

export interface SandboxDialogueOptions {
  readonly log: Log;
  /** The delivery that a return path names, or null if the return path is not one of ours. */
  readonly identify: (mailFrom: string) => DeliveryRef | null;
  /** Whether the greylist sees this delivery for the first time. */
  readonly isFirstSight: (delivery: DeliveryRef) => Promise<boolean>;
  /** Resolves to the IDs of the messages once they are committed. */
  readonly store: (envelope: SandboxEnvelope, raw: Buffer) => Promise<readonly string[]>;
  /** Aborted when the receiver stops. */
  readonly stopping: AbortSignal;
  readonly maxMessageBytes: number;
}

const MAX_RECIPIENTS = 100;

const SANDBOX_REPLIES = {
  notOurs: reply(
    550,
    '5.7.1',
    'The return path is not one that this server signed; the sandbox takes mail from its own worker only',
  ),
  notStored: reply(451, '4.3.0', 'The message could not be stored, try again later'),
  tooManyRecipients: reply(452, '4.5.3', 'Too many recipients, send to the others in another message'),
} as const;

export class SandboxDialogue implements Dialogue {
  /** The worker is the only client and needs no login. Its pooled connections may be idle between two messages. */
  readonly isLoggedIn = true;
  readonly idleReply = REPLIES.timeout;
  readonly isMemoryShort = false;
  readonly recipientParameters: readonly string[] = [];
  readonly takesChunks = false;
  readonly #options: SandboxDialogueOptions;
  #sender: { readonly delivery: DeliveryRef; readonly mailFrom: string } | null = null;
  /** By address in lower case: a recipient that is named twice gets one message. */
  readonly #recipients = new Map<string, SandboxRecipient>();

  constructor(options: SandboxDialogueOptions) {
    this.#options = options;
  }

  offers(): readonly string[] {
    return [];
  }

  parameters(): readonly string[] {
    return [];
  }

  mail({ address }: SmtpPath): Reply {
    const delivery = this.#options.identify(address);
    if (delivery === null) return SANDBOX_REPLIES.notOurs;
    this.#sender = { delivery, mailFrom: address };
    return REPLIES.senderOk;
  }

  recipient(address: string): Reply | Promise<Reply> {
    const behavior = behaviorFor(address);
    if (behavior.kind === 'refuse') return behavior.reply;
    const recipient = { address, behavior };
    return behavior.kind === 'accept' ? this.#accept(recipient) : this.#greylist(recipient, behavior.reply);
  }

  async #greylist(recipient: SandboxRecipient, refusal: Reply): Promise<Reply> {
    try {
      const isFirst = await this.#options.isFirstSight(this.#admitted().delivery);
      return isFirst ? refusal : this.#accept(recipient);
    } catch (error) {
      return this.#notStored(error);
    }
  }

  #accept(recipient: SandboxRecipient): Reply {
    const key = recipient.address.toLowerCase();
    if (this.#recipients.size >= MAX_RECIPIENTS && !this.#recipients.has(key))
      return SANDBOX_REPLIES.tooManyRecipients;
    this.#recipients.set(key, recipient);
    return REPLIES.recipientOk;
  }

  /** Drops the bytes of a message once it is over the limit. The session refuses the message at its end. */
  reader(): MessageReader {
    const { maxMessageBytes } = this.#options;
    return new MessageReader(maxMessageBytes, (bytes) => bytes <= maxMessageBytes);
  }

  async take(message: MessageReader): Promise<Reply> {
    const { store, stopping } = this.#options;
    const envelope = { ...this.#admitted(), recipients: [...this.#recipients.values()] };
    try {
      const ids = await store(envelope, message.head());
      return reply(250, '2.0.0', `Ok: captured as ${ids.join(', ')}`);
    } catch (error) {
      return stopping.aborted ? REPLIES.stopping : this.#notStored(error);
    }
  }

  reset(): void {
    this.#sender = null;
    this.#recipients.clear();
  }

  command(): undefined {
    return undefined;
  }

  /** Only malformed commands count. A pooled connection may carry any number of refused recipients. */
  isError({ code }: Reply): boolean {
    return code >= 500 && code <= 502;
  }

  #admitted(): { readonly delivery: DeliveryRef; readonly mailFrom: string } {
    if (this.#sender === null) throw new Error('A recipient came before an admitted sender.');
    return this.#sender;
  }

  #notStored(error: unknown): Reply {
    const level = isUnavailable(error) ? 'warn' : 'error';
    this.#options.log[level]({ err: error }, 'the sandbox could not store a message');
    return SANDBOX_REPLIES.notStored;
  }
}
