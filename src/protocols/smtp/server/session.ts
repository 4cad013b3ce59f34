/**
 * One conversation with a client that brings mail. What is the same for all servers is here: commands in their order,
 * TLS, deadlines and bounds. Who may send to whom, and what becomes of a message, is the dialogue's business.
 *
 * It owns the connection and whether a transaction is open. States: connected → greeted → (secured → greeted) →
 * transaction (messages come in by its intake) → greeted … → closed.
 */
import type { Socket } from 'node:net';
import { HTTP_METHODS, MAIL_PARAMETERS, parseCommand, parsePath, type SmtpCommand } from './commands.ts';
import type { Client, Dialogue, SessionOptions } from './dialogue.ts';
import { type IntakeResult, MessageIntake } from './message-intake.ts';
import { greeting, REPLIES, type Reply, replyLine } from './replies.ts';
import {
  type ConnectionStart,
  type Conversation,
  type Interruption,
  SessionConnection,
} from './session-connection.ts';
import type { Activity, Occupant } from './session-slots.ts';

interface SessionStart extends ConnectionStart {
  readonly address: string;
  readonly dialogue: Dialogue;
  /** The client has logged in, or delivered a message. */
  readonly onProven: () => void;
}

export class Session implements Client, Conversation, Occupant {
  readonly address: string;
  readonly #dialogue: Dialogue;
  readonly #options: SessionOptions;
  readonly #connection: SessionConnection;
  readonly #onProven: () => void;
  #greeted = false;
  #helo = '';
  readonly #intake: MessageIntake;
  #transaction: { accepted: boolean; refused: boolean } | null = null;
  /** What is being found out about recipients, in the order they were named. */
  #asked: (Reply | Promise<Reply>)[] = [];
  #hasSent = false;
  #errors = 0;
  /** Since the last message. */
  #commands = 0;
  #closing = false;

  constructor(socket: Socket, options: SessionOptions, start: SessionStart) {
    this.address = start.address;
    this.#dialogue = start.dialogue;
    this.#onProven = start.onProven;
    this.#options = options;
    this.#connection = new SessionConnection(socket, this, options, start);
    this.#intake = new MessageIntake(start.dialogue, this.#connection, options);
  }

  get helo(): string {
    return this.#helo;
  }

  get isSecured(): boolean {
    return this.#connection.isSecured;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  get isIdle(): boolean {
    return !this.inTransaction && !this.#dialogue.isLoggedIn;
  }

  get idleReply(): Reply {
    return this.#dialogue.idleReply;
  }

  get isMemoryShort(): boolean {
    return this.#dialogue.isMemoryShort;
  }

  get activity(): Activity {
    return this.#connection.activity;
  }

  async ask(challenge: string): Promise<string | null> {
    this.#connection.write(`334 ${challenge}\r\n`);
    const line = await this.#connection.line();
    if (line.kind === 'line') return line.text;
    if (line.kind === 'gone') this.#closing = true;
    else this.#interrupt(line.kind);
    return null;
  }

  /** Resolves when the conversation is over. */
  async run(): Promise<void> {
    this.#connection.write(`220 ${this.#options.host} ESMTP Postrider\r\n`);
    while (!this.#closing) {
      if (this.#connection.isTimeUp) {
        this.#interrupt('timeout');
        break;
      }
      if (!(await this.#next())) break;
      if (!this.#closing && !(await this.#connection.repliesDrained())) break;
    }
    this.#dialogue.reset();
    this.#connection.close();
  }

  /** Ends it as soon as nothing is being stored. */
  stop(): void {
    this.#connection.stop();
  }

  makeRoom(): void {
    this.#connection.makeRoom();
  }

  destroy(): void {
    this.#connection.destroy();
  }

  /** The next command; false when there will be none. */
  async #next(): Promise<boolean> {
    const line = await this.#connection.line();
    if (line.kind === 'gone') return false;
    this.#commands += 1;
    const isTooMuch = this.#commands > this.#options.bounds.commands;
    const command = line.kind === 'line' && !isTooMuch ? parseCommand(line.text) : null;
    if (command?.verb === 'RCPT') this.#asked.push(this.#recipient(command.argument));
    // Recipients that came along with it are asked about together.
    if (command?.verb === 'RCPT' && this.#connection.hasMore) return true;
    await this.#answerAsked();
    if (this.#closing || command?.verb === 'RCPT') return true;
    if (command !== null) this.#answer(await this.#obey(command));
    else if (line.kind === 'line') this.#end(REPLIES.tooManyCommands);
    else this.#interrupt(line.kind);
    return true;
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
        return this.#receive(() => this.#intake.data(argument, this.#transaction));
      case 'BDAT':
        return this.#receive(() =>
          this.#intake.chunk(argument, this.#transaction, this.isIdle && !this.#hasSent),
        );
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
        return REPLIES.notImplemented;
      default:
        if (HTTP_METHODS.has(verb)) return REPLIES.http;
        return this.#obeyDialogue(command);
    }
  }

  async #obeyDialogue(command: SmtpCommand): Promise<Reply> {
    const wasLoggedIn = this.#dialogue.isLoggedIn;
    const reply = (await this.#dialogue.command(command, this)) ?? REPLIES.unknown;
    if (this.#dialogue.isLoggedIn && !wasLoggedIn) {
      this.#connection.clock.progressed();
      this.#onProven();
    }
    return reply;
  }

  #greet(verb: 'EHLO' | 'HELO', argument: string): Reply | null {
    if (argument === '') return REPLIES.argument;
    this.#greeted = true;
    this.#helo = argument;
    this.#reset();
    const { host, maxMessageBytes, tls } = this.#options;
    const offers: string[] = [];
    if (verb === 'EHLO') {
      offers.push('PIPELINING', `SIZE ${maxMessageBytes}`, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES');
      if (tls !== null && !this.isSecured) offers.push('STARTTLS');
      offers.push(...this.#dialogue.offers(this));
    }
    this.#connection.write(greeting(host, offers));
    return null;
  }

  async #mail(argument: string): Promise<Reply> {
    if (!this.#greeted || this.#transaction !== null) return REPLIES.sequence;
    const path = parsePath(argument, 'FROM');
    if (path === null) return REPLIES.argument;
    for (const name of path.parameters.keys())
      if (!MAIL_PARAMETERS.has(name) && !this.#dialogue.parameters(this).includes(name))
        return REPLIES.parameter;
    if (path.parameters.get('BODY')?.toUpperCase() === 'BINARYMIME') return REPLIES.parameter;
    if (Number(path.parameters.get('SIZE') ?? 0) > this.#options.maxMessageBytes) return REPLIES.tooLarge;
    if (this.#intake.count >= this.#options.bounds.messages) return REPLIES.tooManyMessages;
    const reply = await this.#dialogue.mail(path, this);
    if (reply.code >= 300) return reply;
    this.#connection.clock.progressed();
    this.#hasSent = true;
    this.#transaction = { accepted: false, refused: false };
    return reply;
  }

  #recipient(argument: string): Reply | Promise<Reply> {
    if (this.#transaction === null || this.#intake.isInChunks) return REPLIES.sequence;
    const path = parsePath(argument, 'TO');
    if (path === null || path.address === '') return REPLIES.argument;
    for (const name of path.parameters.keys())
      if (!this.#dialogue.recipientParameters.includes(name)) return REPLIES.parameter;
    return this.#dialogue.recipient(path.address, path.parameters);
  }

  async #answerAsked(): Promise<void> {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    for (const reply of await Promise.all(asked)) {
      if (reply.code < 300) this.#connection.clock.progressed();
      if (this.#transaction !== null) {
        if (reply.code < 300) this.#transaction.accepted = true;
        else if (!MISTAKES.has(reply)) this.#transaction.refused = true;
      }
      if (!this.#closing) this.#answer(reply);
    }
  }

  async #receive(receive: () => Promise<IntakeResult>): Promise<Reply | null> {
    const before = this.#intake.count;
    const { reply, ends } = await receive();
    if (this.#intake.count > before) this.#commands = 0;
    if (ends !== undefined) this.#reset();
    if (ends === 'session') this.#closing = true;
    if (ends !== 'message') return reply;
    this.#connection.clock.messageCompleted();
    if (reply !== null && reply.code < 300) this.#onProven();
    return reply;
  }

  #reset(): void {
    this.#transaction = null;
    this.#intake.reset();
    this.#dialogue.reset();
  }

  /** What was sent along with the command was sent in clear, by whomever: it must not be taken for encrypted. */
  async #startTls(argument: string): Promise<Reply | null> {
    const { tls } = this.#options;
    if (argument !== '') return REPLIES.argument;
    if (tls === null) return REPLIES.noTls;
    if (this.isSecured || this.#transaction !== null) return REPLIES.sequence;
    if (this.#connection.hasMore) {
      this.#closing = true;
      return REPLIES.sequence;
    }
    this.#answer(REPLIES.startTls);
    this.#greeted = false;
    this.#closing = !(await this.#connection.secure(tls));
    return null;
  }

  #answer(reply: Reply | null): void {
    if (reply === null) return;
    if (this.#dialogue.isError(reply)) this.#errors += 1;
    if (this.#errors > this.#options.bounds.errors) this.#end(REPLIES.tooManyErrors);
    else if (reply.code === 421 || reply === REPLIES.bye) this.#end(reply);
    else this.#say(reply);
  }

  #interrupt(why: Interruption): void {
    this.#end(this.#connection.lastWords(why));
  }

  #end(reply: Reply): void {
    this.#say(reply);
    this.#closing = true;
  }

  #say(reply: Reply): void {
    this.#options.onReply?.(reply);
    this.#connection.write(replyLine(reply));
  }
}

/** Nobody was named. */
const MISTAKES: ReadonlySet<Reply> = new Set([REPLIES.argument, REPLIES.parameter, REPLIES.sequence]);
