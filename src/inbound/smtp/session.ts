/**
 * One conversation with a mail server that brings something back.
 *
 * It owns the socket and, between MAIL and the end of DATA, the transaction: who sends, and to which of our mailboxes.
 * States: connected → greeted → (secured → greeted) → transaction → greeted … → closed. There is no login, no relaying
 * and one recipient per message: a report is about one delivery. 250 follows DATA when the message is stored, never
 * before; should the client be gone by then, it comes again, and the same report twice changes nothing.
 */
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { parseCommand, parsePath, type SmtpCommand } from './commands.ts';
import type { SenderLimits } from './limits.ts';
import type { ServedMailbox } from './mailboxes.ts';
import { MessageReader } from './message-reader.ts';
import { REPLIES, type Reply, replyLine } from './replies.ts';
import type { ReachMailbox } from './served-domains.ts';
import { SessionInput } from './session-input.ts';
import { isHeard, isSecured } from './socket-waits.ts';

/** A message that was sent to one of our mailboxes. */
export interface Received {
  readonly mailbox: ServedMailbox;
  readonly mailFrom: string;
  readonly remoteAddress: string;
  /** Of the whole message; `head` is its beginning. */
  readonly size: number;
  readonly head: Buffer;
}

export interface SessionTimes {
  /** For the next command to be complete, for TLS to be agreed on, and for a reply to be taken. */
  readonly commandMs: number;
  /** For a whole message. */
  readonly messageMs: number;
  /** For the whole conversation. */
  readonly sessionMs: number;
}

export interface SessionOptions {
  readonly host: string;
  readonly find: ReachMailbox;
  readonly limits: SenderLimits;
  readonly times: SessionTimes;
  readonly maxMessageBytes: number;
  readonly secureContext: SecureContext | null;
  /** Resolves when the message is committed; 'full' when there is no room for it. */
  readonly store: (message: Received) => Promise<'stored' | 'full' | 'failed'>;
  readonly onReply?: (reply: Reply) => void;
}

interface Transaction {
  readonly mailFrom: string;
  mailbox: ServedMailbox | null;
  /** A recipient was named and refused. */
  refused: boolean;
}

/** What the reports we read say, they say in the first part of this. */
export const KEPT_BYTES = 256 * 1024;
const MAX_ERRORS = 10;
const MAX_MESSAGES = 1_000;
/** Without a message among them. */
const MAX_COMMANDS = 100;

export class Session {
  readonly #options: SessionOptions;
  readonly #remoteAddress: string;
  #socket: Socket;
  #input: SessionInput;
  #greeted = false;
  #secured = false;
  #transaction: Transaction | null = null;
  #errors = 0;
  #messages = 0;
  /** Since the last message. */
  #commands = 0;
  #closing = false;
  readonly #endsAt: number;

  constructor(socket: Socket, remoteAddress: string, options: SessionOptions) {
    this.#options = options;
    this.#remoteAddress = remoteAddress;
    this.#socket = socket;
    this.#input = new SessionInput(socket);
    this.#endsAt = performance.now() + options.times.sessionMs;
  }

  /** Resolves when the conversation is over. */
  async run(): Promise<void> {
    this.#write(`220 ${this.#options.host} ESMTP Postrider\r\n`);
    while (!this.#closing) {
      if (this.#within(0) < 0) {
        this.#end(REPLIES.timeout);
        break;
      }
      const line = await this.#input.line(this.#within(this.#options.times.commandMs));
      if (line.kind === 'gone') break;
      this.#commands += 1;
      if (line.kind !== 'line') this.#end(LAST_WORDS[line.kind]);
      else if (this.#commands > MAX_COMMANDS) this.#end(REPLIES.tooManyCommands);
      else this.#answer(await this.#obey(parseCommand(line.text)));
      if (!this.#closing && !(await isHeard(this.#socket, this.#within(this.#options.times.commandMs))))
        break;
    }
    this.#close();
  }

  /** No longer than the conversation may still last. */
  #within(timeMs: number): number {
    return Math.min(timeMs, this.#endsAt - performance.now());
  }

  /** Ends it as soon as nothing is being stored. */
  stop(): void {
    this.#input.stop();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Null where it was answered already. */
  #obey({ verb, argument }: SmtpCommand): Reply | null | Promise<Reply | null> {
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#greet(verb, argument);
      case 'MAIL':
        return this.#mail(argument);
      case 'RCPT':
        return this.#recipient(argument);
      case 'DATA':
        return this.#data(argument);
      case 'RSET':
        this.#transaction = null;
        return REPLIES.ok;
      case 'NOOP':
        return REPLIES.ok;
      case 'STARTTLS':
        return this.#startTls(argument);
      case 'VRFY':
        return REPLIES.cannotVerify;
      case 'QUIT':
        return REPLIES.bye;
      case 'AUTH':
        return REPLIES.noAuthentication;
      case 'EXPN':
      case 'HELP':
      case 'BDAT':
        return REPLIES.notImplemented;
      default:
        return REPLIES.unknown;
    }
  }

  #greet(verb: 'EHLO' | 'HELO', argument: string): Reply | null {
    if (argument === '') return REPLIES.argument;
    this.#greeted = true;
    this.#transaction = null;
    const { host, maxMessageBytes, secureContext } = this.#options;
    const offers = [host];
    if (verb === 'EHLO') {
      offers.push('PIPELINING', `SIZE ${maxMessageBytes}`, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES');
      if (secureContext !== null && !this.#secured) offers.push('STARTTLS');
    }
    const last = offers.length - 1;
    this.#write(offers.map((offer, i) => `250${i === last ? ' ' : '-'}${offer}\r\n`).join(''));
    return null;
  }

  #mail(argument: string): Reply {
    if (!this.#greeted || this.#transaction !== null) return REPLIES.sequence;
    const path = parsePath(argument, 'FROM');
    if (path === null) return REPLIES.argument;
    for (const name of path.parameters.keys()) if (!MAIL_PARAMETERS.has(name)) return REPLIES.parameter;
    if (Number(path.parameters.get('SIZE') ?? 0) > this.#options.maxMessageBytes) return REPLIES.tooLarge;
    if (this.#messages >= MAX_MESSAGES) return REPLIES.tooManyMessages;
    this.#transaction = { mailFrom: path.address, mailbox: null, refused: false };
    return REPLIES.senderOk;
  }

  async #recipient(argument: string): Promise<Reply> {
    const transaction = this.#transaction;
    if (transaction === null) return REPLIES.sequence;
    const path = parsePath(argument, 'TO');
    if (path === null || path.address === '') return REPLIES.argument;
    if (path.parameters.size > 0) return REPLIES.parameter;
    if (transaction.mailbox !== null) return REPLIES.oneRecipient;
    const found = await this.#options.find(path.address);
    if (found.kind === 'unsure') return REPLIES.cannotLookUp;
    if (found.kind !== 'return_path' && found.kind !== 'open') {
      transaction.refused = true;
      this.#options.limits.allows(this.#remoteAddress, 'unknownRecipients');
      return NOT_FOUND[found.kind];
    }
    const counted = found.kind === 'open' ? 'openMessages' : 'messages';
    if (!this.#options.limits.allows(this.#remoteAddress, counted)) return REPLIES.tooFast;
    transaction.mailbox = found;
    return REPLIES.recipientOk;
  }

  async #data(argument: string): Promise<Reply | null> {
    if (argument !== '') return REPLIES.argument;
    const { mailbox, mailFrom, refused } = this.#transaction ?? NO_TRANSACTION;
    if (mailbox === null) return refused ? REPLIES.noRecipient : REPLIES.sequence;
    this.#write('354 End data with <CR><LF>.<CR><LF>\r\n');
    this.#transaction = null;
    this.#messages += 1;
    this.#commands = 0;
    const reader = new MessageReader(KEPT_BYTES);
    const { maxMessageBytes, times, store } = this.#options;
    const end = await this.#input.message(reader, maxMessageBytes, this.#within(times.messageMs));
    if (end === 'gone') {
      this.#closing = true;
      return null;
    }
    if (end !== 'complete') return LAST_WORDS[end];
    const { size } = reader;
    return STORED[
      await store({ mailbox, mailFrom, remoteAddress: this.#remoteAddress, size, head: reader.head() })
    ];
  }

  /** What was sent along with the command was sent in clear, by whomever: it must not be taken for encrypted. */
  async #startTls(argument: string): Promise<Reply | null> {
    const { secureContext, times } = this.#options;
    if (argument !== '') return REPLIES.argument;
    if (secureContext === null) return REPLIES.noTls;
    if (this.#secured || this.#transaction !== null) return REPLIES.sequence;
    if (this.#input.hasMore) {
      this.#closing = true;
      return REPLIES.sequence;
    }
    this.#answer(REPLIES.startTls);
    const plain = this.#socket;
    this.#input.release();
    plain.on('error', () => {});
    const socket = new TLSSocket(plain, { isServer: true, secureContext });
    this.#socket = socket;
    this.#input = new SessionInput(socket);
    this.#greeted = false;
    this.#secured = await isSecured(socket, this.#within(times.commandMs));
    this.#closing = !this.#secured;
    return null;
  }

  #answer(reply: Reply | null): void {
    if (reply === null) return;
    if (reply.code >= 500) this.#errors += 1;
    if (this.#errors > MAX_ERRORS) this.#end(REPLIES.tooManyErrors);
    else if (reply.code === 421 || reply === REPLIES.bye) this.#end(reply);
    else this.#say(reply);
  }

  #end(reply: Reply): void {
    this.#say(reply);
    this.#closing = true;
  }

  #say(reply: Reply): void {
    this.#options.onReply?.(reply);
    this.#write(replyLine(reply));
  }

  #write(text: string): void {
    if (this.#socket.writable) this.#socket.write(text);
  }

  /** A client that does not close its side is not waited for. */
  #close(): void {
    const socket = this.#socket;
    this.#input.release();
    socket.on('error', () => {});
    socket.end();
    socket.resume();
    setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
  }
}

const CLOSE_WITHIN_MS = 1_000;
const MAIL_PARAMETERS = new Set(['SIZE', 'BODY', 'SMTPUTF8']);
const NO_TRANSACTION: Transaction = { mailFrom: '', mailbox: null, refused: false };
const LAST_WORDS = {
  malformed: REPLIES.malformed,
  too_large: REPLIES.tooLarge,
  timeout: REPLIES.timeout,
  stopped: REPLIES.stopping,
} as const;
const NOT_FOUND = {
  unknown: REPLIES.unknownMailbox,
  expired: REPLIES.expiredMailbox,
  elsewhere: REPLIES.elsewhere,
} as const;
const STORED = { stored: REPLIES.stored, full: REPLIES.full, failed: REPLIES.notStored } as const;
