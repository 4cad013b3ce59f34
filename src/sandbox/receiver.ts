/**
 * The sandbox's mail server: a real SMTP receiver on loopback that every destination leads to in sandbox mode.
 *
 * Owns the listening socket, and for each session the delivery that its MAIL FROM named. A message belongs to the
 * organization whose signed return path it carries; without one it is refused, so another program on this machine
 * cannot put mail into an inbox. States: made, listening, stopped. Nothing is answered 250 before it is committed.
 *
 * No STARTTLS: on loopback it would protect nothing and would cost every message its encryption.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { halvesOf } from '../protocols/message/address.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { GrowingBuffer } from '../protocols/smtp/growing-buffer.ts';
import type { Clock } from '../runtime/clock.ts';
import { uuidv7 } from '../runtime/ids.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { Capture } from './capture.ts';
import { deleteStaleGreylistEntries, isFirstSight } from './greylist.ts';
import type { SimulatedEvents } from './simulated-events.ts';
import { playFor, replyText, type ScriptedReply } from './simulator.ts';
import { summarize } from './summary.ts';

export interface SandboxReceiverOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  /** Whose delivery a return path names, or null if it is not one of ours. */
  readonly identify: (mailFrom: string) => DeliveryRef | null;
  /** What happens after some messages were taken. */
  readonly simulatedEvents?: SimulatedEvents;
}

/** The name of the mail server in events. `.test` never resolves, so it cannot be mistaken for a real one. */
export const SANDBOX_MX_HOST = 'sandbox.postrider.test';
const LOOPBACK = '127.0.0.1';

/** What 20 MiB of request can become once composed, with room to spare. */
const MAX_MESSAGE_BYTES = 48 * 1024 * 1024;
const MAX_CONNECTIONS = 1_000;
const MAX_RECIPIENTS = 100;
const IDLE_TIMEOUT_MS = 300_000;
const DRAIN_MS = 2_000;

const NOT_OURS: ScriptedReply = {
  code: 550,
  enhanced: '5.7.1',
  text: 'The return path is not one that this server signed; the sandbox takes mail from its own worker only',
};
const NOT_STORED: ScriptedReply = {
  code: 451,
  enhanced: '4.3.0',
  text: 'The message could not be stored, try again later',
};
const STOPPING: ScriptedReply = { code: 421, enhanced: '4.3.2', text: 'The sandbox is shutting down' };

export class SandboxReceiver implements Service {
  readonly name = 'sandbox receiver';
  readonly host = SANDBOX_MX_HOST;
  readonly address = LOOPBACK;
  readonly #options: SandboxReceiverOptions;
  readonly #capture: Capture;
  readonly #server: SMTPServer;
  readonly #senders = new WeakMap<SMTPServerSession, DeliveryRef>();
  readonly #stopping = new AbortController();
  #port: number | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: SandboxReceiverOptions) {
    this.#options = options;
    this.#capture = new Capture(options.db, options.log);
    this.#server = this.#createServer();
  }

  get port(): number {
    if (this.#port === null) throw new Error('The sandbox receiver has no port before it is started.');
    return this.#port;
  }

  async start(): Promise<void> {
    await deleteStaleGreylistEntries(this.#options.db);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, LOOPBACK, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#options.log.debug({ err: error }, 'a sandbox session failed'));
    this.#port = (this.#server.server.address() as { port: number }).port;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#port !== null) await new Promise<void>((resolve) => this.#server.close(resolve));
    await this.#capture.idle();
    await this.#options.simulatedEvents?.stop();
  }

  #createServer(): SMTPServer {
    return new SMTPServer({
      name: SANDBOX_MX_HOST,
      banner: 'Postrider sandbox',
      logger: false,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      // Replies are small and the client waits for every one of them.
      noDelay: true,
      lenientAddressParsing: true,
      size: MAX_MESSAGE_BYTES,
      rejectOversized: true,
      maxClients: MAX_CONNECTIONS,
      maxRecipients: MAX_RECIPIENTS,
      socketTimeout: IDLE_TIMEOUT_MS,
      closeTimeout: DRAIN_MS,
      onMailFrom: (from, session, done) => done(this.#admit(from.address, session)),
      onRcptTo: (to, session, done) => this.#answerRecipient(to.address, session, done),
      onData: (stream, session, done) => this.#answerMessage(stream, session, done),
    });
  }

  #admit(mailFrom: string, session: SMTPServerSession): Error | null {
    const owner = this.#options.identify(wireForm(mailFrom));
    if (owner === null) return refusal(NOT_OURS);
    this.#senders.set(session, owner);
    return null;
  }

  #answerRecipient(to: string, session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const play = playFor(to);
    switch (play.kind) {
      case 'accept':
        done();
        break;
      case 'refuse':
        done(refusal(play.reply));
        break;
      case 'greylist':
        isFirstSight(this.#options.db, this.#senderOf(session)).then(
          (first) => done(first ? refusal(play.reply) : null),
          (error: unknown) => done(this.#notStored(error)),
        );
    }
  }

  #answerMessage(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null, message?: string) => void,
  ): void {
    const message = new GrowingBuffer(MAX_MESSAGE_BYTES);
    stream.on('data', (chunk: Buffer) => {
      // What is too large is refused by the server once it ends; it must not fill the memory until then.
      if (stream.sizeExceeded) message.clear();
      else message.add(chunk);
    });
    // The client left in the middle of its message: there is nobody to answer.
    stream.on('error', () => {});
    stream.on('end', () => {
      if (stream.sizeExceeded) return done();
      this.#take(message.bytes(), session).then(
        (ids) => done(null, `2.0.0 Ok: captured as ${ids.join(', ')}`),
        (error: unknown) => done(this.#stopping.signal.aborted ? refusal(STOPPING) : this.#notStored(error)),
      );
    });
  }

  /** Stores one message for each recipient, as each would have found it. */
  async #take(raw: Buffer, session: SMTPServerSession): Promise<string[]> {
    const owner = this.#senderOf(session);
    const mailFrom = wireForm((session.envelope.mailFrom || { address: '' }).address);
    const recipients = session.envelope.rcptTo.map((one) => ({
      to: one.address,
      play: playFor(one.address),
    }));
    const delayMs = Math.max(...recipients.map(({ play }) => (play.kind === 'accept' ? play.delayMs : 0)));
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: this.#stopping.signal });
    const nowMs = this.#options.clock.nowMs();
    const summary = summarize(raw);
    const messages = recipients.map(({ to, play }) => ({
      ...owner,
      ...summary,
      id: uuidv7(nowMs),
      receivedAt: new Date(nowMs),
      mailFrom,
      rcptTo: wireForm(to),
      raw,
      greylisted: play.kind === 'greylist',
    }));
    await Promise.all(messages.map((message) => this.#capture.store(message)));
    for (const { to, play } of recipients) {
      if (play.kind !== 'accept' || play.afterwards === undefined) continue;
      this.#options.simulatedEvents?.follow(play.afterwards, {
        returnPath: mailFrom,
        recipient: wireForm(to),
        raw,
      });
    }
    return messages.map((message) => message.id);
  }

  #senderOf(session: SMTPServerSession): DeliveryRef {
    const owner = this.#senders.get(session);
    if (owner === undefined) throw new Error('A recipient came before an admitted sender.');
    return owner;
  }

  #notStored(error: unknown): Error {
    const level = isUnavailable(error) ? 'warn' : 'error';
    this.#options.log[level]({ err: error }, 'the sandbox could not store a message');
    return refusal(NOT_STORED);
  }
}

function refusal(reply: ScriptedReply): Error {
  return Object.assign(new Error(replyText(reply)), { responseCode: reply.code });
}

const NON_ASCII = /[^ -~]/;

/** smtp-server hands domains over in Unicode; kept and compared is what stood on the wire. */
function wireForm(address: string): string {
  if (!NON_ASCII.test(address)) return address;
  const { domain } = halvesOf(address);
  return address.slice(0, address.length - domain.length) + (domainToASCII(domain) || domain);
}
