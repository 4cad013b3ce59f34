/**
 * The SMTP dialogue with a submitting client.
 *
 * Owns the authenticated sender and, between MAIL and the end of DATA, the recipients and the message's
 * memory. The key is looked up again for each message, so a revoked key cannot send over an old connection.
 */

import { isUnavailable } from '../../database/errors.ts';
import { CANNOT_BE_MAILED, MAX_RECIPIENTS } from '../../emails/mailbox-schema.ts';
import { SMALL_BYTES } from '../../http/body-budget.ts';
import { callerOf, type RateLimiter } from '../../http/rate-limit.ts';
import { type Address, isSendable, parseAddress } from '../../protocols/message/address.ts';
import type { ClientLimits } from '../../protocols/smtp/server/client-limits.ts';
import type { SmtpCommand, SmtpPath } from '../../protocols/smtp/server/commands.ts';
import type { Client, Dialogue } from '../../protocols/smtp/server/dialogue.ts';
import {
  areDsnParameters,
  DSN_MAIL_PARAMETERS,
  DSN_RECIPIENT_PARAMETERS,
} from '../../protocols/smtp/server/dsn.ts';
import { MessageReader } from '../../protocols/smtp/server/message-reader.ts';
import { REPLIES, type Reply } from '../../protocols/smtp/server/replies.ts';
import type { Log } from '../../runtime/log.ts';
import type { OnRefused } from '../../runtime/refused-request.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { hashToken } from '../../runtime/tokens.ts';
import type { SharedCapacity } from '../../runtime/work-loop/shared-capacity.ts';
import type { RecipientScreen } from '../../submission/recipient-screen.ts';
import type { Sender } from '../../submission/submit.ts';
import { askPassword, MECHANISMS } from './login.ts';
import { noAddress, type Refusing, refusal, SUBMISSION_REPLIES } from './replies.ts';
import type { SubmitMessage } from './submit-message.ts';

export type SubmissionCounted = 'wrongKeys';

/** Finds the sender for a key; null for an invalid key, 'may_not_send' for a key without that right. */
export type LookUpSender = (tokenHash: Buffer) => Promise<Sender | 'may_not_send' | null>;

export interface SubmissionDialogueOptions {
  readonly lookUp: LookUpSender;
  /** The sender for clients without a key; null when a key is required. */
  readonly anybody: (() => Promise<Sender>) | null;
  /** Passwords are accepted on encrypted connections only. */
  readonly needsTls: boolean;
  readonly limits: ClientLimits<SubmissionCounted>;
  readonly rate: RateLimiter;
  readonly screen: RecipientScreen;
  readonly memory: SharedCapacity;
  readonly maxMessageBytes: number;
  readonly submit: SubmitMessage;
  readonly nowMs: () => number;
  readonly onRefused: OnRefused;
  readonly log: Log;
}

interface Transaction {
  readonly sender: Sender;
  readonly mailFrom: string;
  readonly requireTls: boolean;
  /** Seconds until the next message is allowed; 0 when it is allowed now. */
  readonly waitSeconds: number;
  readonly recipients: Map<string, Address>;
  /** All recipients named by the client, including refused ones. They identify a repeated message. */
  readonly named: Set<string>;
  heldBytes: number;
}

/** RFC 8689: a keyword of EHLO, and a parameter of MAIL. */
const REQUIRE_TLS = 'REQUIRETLS';

export class SubmissionDialogue implements Dialogue {
  readonly idleReply = REPLIES.noLogin;
  /** The email's events show the delivery status; no notification is sent by mail. */
  readonly recipientParameters = DSN_RECIPIENT_PARAMETERS;
  readonly takesChunks = true;
  readonly #options: SubmissionDialogueOptions;
  #keyHash: Buffer | null = null;
  #transaction: Transaction | null = null;

  constructor(options: SubmissionDialogueOptions) {
    this.#options = options;
  }

  get isLoggedIn(): boolean {
    return this.#keyHash !== null;
  }

  get isMemoryShort(): boolean {
    return (this.#transaction?.heldBytes ?? 0) > 0 && this.#options.memory.isShort;
  }

  offers(client: Client): readonly string[] {
    const login = this.#mayLogIn(client) ? [MECHANISMS] : [];
    return ['CHUNKING', 'DSN', ...(client.isSecured ? [REQUIRE_TLS] : []), ...login];
  }

  /** AUTH: the claimed submitter (RFC 4954), which is ignored. */
  parameters({ isSecured }: Client): readonly string[] {
    return ['AUTH', ...DSN_MAIL_PARAMETERS, ...(isSecured ? [REQUIRE_TLS] : [])];
  }

  async mail({ address, parameters }: SmtpPath, client: Client): Promise<Reply> {
    const requireTls = parameters.get(REQUIRE_TLS);
    if (requireTls !== undefined && requireTls !== '') return REPLIES.argument;
    if (!areDsnParameters(parameters)) return REPLIES.argument;
    const sender = await this.#unlessAway(() => this.#sender(client));
    if ('code' in sender) return sender;
    const allowance = await this.#options.rate.take(callerOf(sender, sender.agent));
    this.#transaction = {
      sender,
      mailFrom: address,
      requireTls: requireTls !== undefined,
      waitSeconds: allowance.exceeded ? allowance.resetSeconds : 0,
      recipients: new Map(),
      named: new Set(),
      heldBytes: 0,
    };
    return REPLIES.senderOk;
  }

  async #sender(client: Client): Promise<Sender | Reply> {
    const { lookUp, anybody, needsTls } = this.#options;
    if (this.#keyHash === null) {
      if (anybody !== null) return anybody();
      return needsTls && !client.isSecured
        ? SUBMISSION_REPLIES.encryptionWanted
        : SUBMISSION_REPLIES.keyWanted;
    }
    const found = await lookUp(this.#keyHash);
    if (found !== null && found !== 'may_not_send') return found;
    this.#keyHash = null;
    return SUBMISSION_REPLIES.wrongKey;
  }

  async recipient(given: string, parameters: SmtpPath['parameters']): Promise<Reply> {
    if (!areDsnParameters(parameters)) return REPLIES.argument;
    const transaction = this.#transaction as Transaction;
    const report = this.#reporter('RCPT', transaction, [given]);
    return report(await this.#judge(transaction, given));
  }

  #judge(transaction: Transaction, given: string): Reply | Promise<Reply> {
    if (transaction.waitSeconds > 0) return SUBMISSION_REPLIES.tooFast(transaction.waitSeconds);
    const address = parseAddress(given);
    if (!address.ok) return noAddress(address.message);
    if (!isSendable(address)) return noAddress(CANNOT_BE_MAILED);
    if (transaction.named.size >= MAX_RECIPIENTS && !transaction.named.has(address.key))
      return SUBMISSION_REPLIES.tooManyRecipients(MAX_RECIPIENTS);
    transaction.named.add(address.key);
    return this.#unlessAway(() => this.#screen(transaction, address));
  }

  async #screen({ sender, recipients }: Transaction, address: Address): Promise<Reply> {
    const found = await this.#options.screen.refusalOf(sender.organizationId, address);
    // If the message may be a repeat, the recipient is accepted for now and a new message is refused later.
    if (found !== null && !found.mayBeRepeat) return refusal(found.refused);
    recipients.set(address.key, address);
    return REPLIES.recipientOk;
  }

  reader(): MessageReader {
    const transaction = this.#transaction as Transaction;
    return new MessageReader(this.#options.maxMessageBytes, (bytes) => this.#hold(transaction, bytes));
  }

  /** Small messages are not counted: their connections cost as much memory. */
  #hold(transaction: Transaction, bytes: number): boolean {
    if (bytes <= SMALL_BYTES || bytes <= transaction.heldBytes) return true;
    // Follows the growth steps of the buffer.
    const wanted = Math.min(2 * bytes, this.#options.maxMessageBytes);
    const { organizationId } = transaction.sender;
    if (!this.#options.memory.take(organizationId, wanted - transaction.heldBytes)) return false;
    transaction.heldBytes = wanted;
    return true;
  }

  async take(message: MessageReader): Promise<Reply> {
    const transaction = this.#transaction as Transaction;
    const recipients = [...transaction.recipients.values()];
    const report = this.#reporter(
      'DATA',
      transaction,
      recipients.map(({ email }) => email),
    );
    if (!message.isKept) return report(SUBMISSION_REPLIES.noRoom);
    const { sender, mailFrom, requireTls, named } = transaction;
    const envelope = { mailFrom, requireTls, recipients, named: [...named] };
    return report(await this.#unlessAway(() => this.#options.submit(sender, envelope, message.head())));
  }

  /** Reports a reply that refuses mail, and returns it. */
  #reporter(method: 'RCPT' | 'DATA', { sender, mailFrom }: Transaction, to: readonly string[]) {
    const { nowMs, onRefused } = this.#options;
    const beganMs = nowMs();
    return (reply: Reply | Refusing): Reply => {
      if (!('error' in reply)) return reply;
      onRefused({
        organizationId: sender.organizationId,
        keyId: sender.keyId,
        userId: null,
        method,
        path: 'smtp',
        status: reply.code,
        code: reply.error,
        message: reply.text,
        fields: [],
        requestId: null,
        durationMs: Math.max(0, Math.round(nowMs() - beganMs)),
        body: { from: mailFrom, to },
      });
      return reply;
    };
  }

  reset(): void {
    const transaction = this.#transaction;
    if (transaction === null) return;
    this.#transaction = null;
    if (transaction.heldBytes > 0)
      this.#options.memory.release(transaction.sender.organizationId, transaction.heldBytes);
  }

  command({ verb, argument }: SmtpCommand, client: Client): Promise<Reply> | undefined {
    return verb === 'AUTH' ? this.#unlessAway(() => this.#logIn(argument, client)) : undefined;
  }

  async #logIn(argument: string, client: Client): Promise<Reply> {
    const { limits, lookUp } = this.#options;
    if (this.#keyHash !== null || client.inTransaction) return REPLIES.sequence;
    if (!this.#mayLogIn(client)) return SUBMISSION_REPLIES.encryptionWanted;
    if (limits.isOver(client.address, 'wrongKeys')) return SUBMISSION_REPLIES.tooManyWrongKeys;
    const given = await askPassword(argument, client);
    if (given.kind === 'none') return given.reply;
    const hash = hashToken(given.password);
    const found = await lookUp(hash);
    if (found === 'may_not_send') return SUBMISSION_REPLIES.keyMayNotSend;
    if (found === null) {
      limits.allows(client.address, 'wrongKeys');
      return SUBMISSION_REPLIES.wrongKey;
    }
    this.#keyHash = hash;
    return SUBMISSION_REPLIES.authenticated;
  }

  #mayLogIn(client: Client): boolean {
    return client.isSecured || !this.#options.needsTls;
  }

  /** Refused mail does not count as a protocol error. */
  isError({ code }: Reply): boolean {
    return code >= 500 && code < 550;
  }

  /** When the database is unavailable, nothing was stored and the client should retry. */
  async #unlessAway<T extends object>(work: () => Promise<T>): Promise<T | Reply> {
    try {
      return await work();
    } catch (error) {
      // Revoked since the message began.
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') return SUBMISSION_REPLIES.wrongKey;
      const { log } = this.#options;
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'a message could not be accepted');
      return SUBMISSION_REPLIES.unavailable;
    }
  }
}
