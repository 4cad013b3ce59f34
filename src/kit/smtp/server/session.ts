/**
 * One conversation with a client that brings mail. What is the same for all servers is here: commands in their order,
 * TLS, deadlines and bounds. Who may send to whom, and what becomes of a message, is the dialogue's business.
 *
 * It owns the socket and whether a transaction is open. States: connected → greeted → (secured → greeted) →
 * transaction → greeted … → closed. 250 follows DATA when the dialogue has the message safe, never before; should the
 * client be gone by then, it comes again.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { parseCommand, parsePath, type SmtpCommand } from './commands.ts';
import type { Client, Dialogue, SessionOptions } from './dialogue.ts';
import { REPLIES, type Reply, replyLine } from './replies.ts';
import { SessionInput } from './session-input.ts';
import { isHeard, isSecured, isUnheard } from './socket-waits.ts';

export class Session implements Client {
  readonly address: string;
  readonly #dialogue: Dialogue;
  readonly #options: SessionOptions;
  #socket: Socket;
  #input: SessionInput;
  #greeted = false;
  #helo = '';
  #secured: boolean;
  #transaction: { accepted: boolean; refused: boolean } | null = null;
  /** What is being found out about recipients, in the order they were named. */
  #asked: (Reply | Promise<Reply>)[] = [];
  #errors = 0;
  #messages = 0;
  /** Since the last message. */
  #commands = 0;
  #closing = false;
  readonly #endsAt: number;

  constructor(socket: Socket, address: string, dialogue: Dialogue, options: SessionOptions) {
    this.address = address;
    this.#dialogue = dialogue;
    this.#options = options;
    this.#socket = socket;
    this.#input = new SessionInput(socket);
    this.#secured = options.isSecured ?? false;
    this.#endsAt = performance.now() + options.times.sessionMs;
  }

  get helo(): string {
    return this.#helo;
  }

  get isSecured(): boolean {
    return this.#secured;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  async ask(challenge: string): Promise<string | null> {
    this.#write(`334 ${challenge}\r\n`);
    const line = await this.#input.line(this.#within(this.#options.times.commandMs));
    if (line.kind === 'line') return line.text;
    if (line.kind === 'gone') this.#closing = true;
    else this.#end(LAST_WORDS[line.kind]);
    return null;
  }

  /** Resolves when the conversation is over. */
  async run(): Promise<void> {
    this.#write(`220 ${this.#options.host} ESMTP Postrider\r\n`);
    while (!this.#closing) {
      if (this.#within(0) < 0) {
        this.#end(REPLIES.timeout);
        break;
      }
      if (!(await this.#next())) break;
      if (!this.#closing && isUnheard(this.#socket) && !(await this.#isHeard())) break;
    }
    this.#dialogue.reset();
    this.#close();
  }

  /** Ends it as soon as nothing is being stored. */
  stop(): void {
    this.#input.stop();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The next command; false when there will be none. */
  async #next(): Promise<boolean> {
    const line = await this.#input.line(this.#within(this.#options.times.commandMs));
    if (line.kind === 'gone') return false;
    this.#commands += 1;
    const isTooMuch = this.#commands > this.#options.bounds.commands;
    const command = line.kind === 'line' && !isTooMuch ? parseCommand(line.text) : null;
    if (command?.verb === 'RCPT') this.#asked.push(this.#recipient(command.argument));
    // Recipients that came along with it are asked about together.
    if (command?.verb === 'RCPT' && this.#input.hasMore) return true;
    await this.#answerAsked();
    if (this.#closing || command?.verb === 'RCPT') return true;
    if (command !== null) this.#answer(await this.#obey(command));
    else this.#end(line.kind === 'line' ? REPLIES.tooManyCommands : LAST_WORDS[line.kind]);
    return true;
  }

  #isHeard(): Promise<boolean> {
    return isHeard(this.#socket, this.#within(this.#options.times.commandMs));
  }

  /** No longer than the conversation may still last. */
  #within(timeMs: number): number {
    return Math.min(timeMs, this.#endsAt - performance.now());
  }

  /** Null where it was answered already. */
  #obey(command: SmtpCommand): Reply | null | Promise<Reply | null> {
    const { verb, argument } = command;
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#greet(verb, argument);
      case 'MAIL':
        return this.#mail(argument);
      case 'DATA':
        return this.#data(argument);
      case 'RSET':
        this.#reset();
        return REPLIES.ok;
      case 'NOOP':
        return REPLIES.ok;
      case 'STARTTLS':
        return this.#startTls(argument);
      case 'VRFY':
        return REPLIES.cannotVerify;
      case 'QUIT':
        return REPLIES.bye;
      case 'EXPN':
      case 'HELP':
      case 'BDAT':
        return REPLIES.notImplemented;
      default:
        if (HTTP_METHODS.has(verb)) return REPLIES.http;
        return this.#dialogue.command(command, this) ?? REPLIES.unknown;
    }
  }

  #greet(verb: 'EHLO' | 'HELO', argument: string): Reply | null {
    if (argument === '') return REPLIES.argument;
    this.#greeted = true;
    this.#helo = argument;
    this.#reset();
    const { host, maxMessageBytes, secureContext } = this.#options;
    const offers = [host];
    if (verb === 'EHLO') {
      offers.push('PIPELINING', `SIZE ${maxMessageBytes}`, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES');
      if (secureContext !== null && !this.#secured) offers.push('STARTTLS');
      offers.push(...this.#dialogue.offers(this));
    }
    const last = offers.length - 1;
    this.#write(offers.map((offer, i) => `250${i === last ? ' ' : '-'}${offer}\r\n`).join(''));
    return null;
  }

  async #mail(argument: string): Promise<Reply> {
    if (!this.#greeted || this.#transaction !== null) return REPLIES.sequence;
    const path = parsePath(argument, 'FROM');
    if (path === null) return REPLIES.argument;
    for (const name of path.parameters.keys())
      if (!MAIL_PARAMETERS.has(name) && !this.#dialogue.parameters(this).includes(name))
        return REPLIES.parameter;
    if (Number(path.parameters.get('SIZE') ?? 0) > this.#options.maxMessageBytes) return REPLIES.tooLarge;
    if (this.#messages >= this.#options.bounds.messages) return REPLIES.tooManyMessages;
    const reply = await this.#dialogue.mail(path, this);
    if (reply.code < 300) this.#transaction = { accepted: false, refused: false };
    return reply;
  }

  #recipient(argument: string): Reply | Promise<Reply> {
    if (this.#transaction === null) return REPLIES.sequence;
    const path = parsePath(argument, 'TO');
    if (path === null || path.address === '') return REPLIES.argument;
    if (path.parameters.size > 0) return REPLIES.parameter;
    return this.#dialogue.recipient(path.address);
  }

  async #answerAsked(): Promise<void> {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    for (const reply of await Promise.all(asked)) {
      if (this.#transaction !== null) {
        if (reply.code < 300) this.#transaction.accepted = true;
        else if (!MISTAKES.has(reply)) this.#transaction.refused = true;
      }
      if (!this.#closing) this.#answer(reply);
    }
  }

  async #data(argument: string): Promise<Reply | null> {
    if (argument !== '') return REPLIES.argument;
    if (!this.#transaction?.accepted)
      return this.#transaction?.refused ? REPLIES.noRecipient : REPLIES.sequence;
    this.#write('354 End data with <CR><LF>.<CR><LF>\r\n');
    this.#messages += 1;
    this.#commands = 0;
    const reader = this.#dialogue.reader();
    const { maxMessageBytes, times } = this.#options;
    const end = await this.#input.message(reader, maxMessageBytes, this.#within(times.messageMs));
    const reply = end === 'complete' ? await this.#dialogue.take(reader) : null;
    this.#reset();
    if (end !== 'gone') return reply ?? LAST_WORDS[end as keyof typeof LAST_WORDS];
    this.#closing = true;
    return null;
  }

  #reset(): void {
    this.#transaction = null;
    this.#dialogue.reset();
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
    if (this.#dialogue.isError(reply)) this.#errors += 1;
    if (this.#errors > this.#options.bounds.errors) this.#end(REPLIES.tooManyErrors);
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
/** Of a browser, perhaps sent here by a page whose form holds SMTP: nothing that follows may be obeyed. */
const HTTP_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT']);
/** Nobody was named. */
const MISTAKES: ReadonlySet<Reply> = new Set([REPLIES.argument, REPLIES.parameter, REPLIES.sequence]);
const LAST_WORDS = {
  malformed: REPLIES.malformed,
  too_large: REPLIES.tooLarge,
  timeout: REPLIES.timeout,
  stopped: REPLIES.stopping,
} as const;
