/**
 * The sandbox's mail server: a real SMTP receiver on loopback that every destination leads to in sandbox mode.
 *
 * Owns the listening socket and the messages that wait to be stored. A message belongs to the organization whose signed
 * return path it carries. States: made, listening, stopped. Nothing is answered 250 before it is committed.
 *
 * No STARTTLS: on loopback it would protect nothing and would cost every message its encryption.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../database/sql.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import type { SessionBounds, SessionTimes } from '../protocols/smtp/server/dialogue.ts';
import { SmtpListener } from '../protocols/smtp/server/listener.ts';
import { MESSAGE_PACES, type MessagePaces } from '../protocols/smtp/server/message-pace.ts';
import { SessionSlots } from '../protocols/smtp/server/session-slots.ts';
import type { Clock } from '../runtime/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import { uuidv7 } from '../runtime/ids.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { Capture } from './capture.ts';
import { deleteStaleGreylistEntries, isFirstSight } from './greylist.ts';
import { SandboxDialogue, type SandboxDialogueOptions, type SandboxEnvelope } from './sandbox-dialogue.ts';
import type { SimulatedEvents } from './simulated-events.ts';
import { summarize } from './summary.ts';

interface SandboxReceiverOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  /** The delivery that a return path names, or null if the return path is not one of ours. */
  readonly identify: (mailFrom: string) => DeliveryRef | null;
  /** Produces what happens after some messages were taken. */
  readonly simulatedEvents?: SimulatedEvents;
}

/** The name of the mail server in events. `.test` never resolves, so it cannot be mistaken for a real one. */
export const SANDBOX_MX_HOST = 'sandbox.postrider.test';
const LOOPBACK = '127.0.0.1';

/** What 20 MiB of request can become once composed, with room to spare. */
const MAX_MESSAGE_BYTES = 48 * 1024 * 1024;
const MAX_CONNECTIONS = 1_000;
const IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** Only idle connections time out: a pooled connection carries mail for as long as its worker runs. */
const TIMES: SessionTimes = {
  idleMs: IDLE_TIMEOUT_MS,
  commandMs: IDLE_TIMEOUT_MS,
  messageMs: HOUR_MS,
  sessionMs: Number.POSITIVE_INFINITY,
};
const PACES: MessagePaces = { ...MESSAGE_PACES, usual: { windowMs: IDLE_TIMEOUT_MS, bytes: 1 } };
const BOUNDS: SessionBounds = {
  errors: 10,
  messages: Number.POSITIVE_INFINITY,
  commands: Number.POSITIVE_INFINITY,
};

export class SandboxReceiver implements Service {
  readonly name = 'sandbox receiver';
  readonly host = SANDBOX_MX_HOST;
  readonly address = LOOPBACK;
  readonly #options: SandboxReceiverOptions;
  readonly #capture: Capture;
  readonly #listener: SmtpListener;
  readonly #stopping = new AbortController();
  #port: number | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: SandboxReceiverOptions) {
    this.#options = options;
    this.#capture = new Capture(options.db, options.log);
    this.#listener = this.#createListener();
  }

  get port(): number {
    if (this.#port === null) throw new Error('The sandbox receiver has no port before it is started.');
    return this.#port;
  }

  async start(): Promise<void> {
    await deleteStaleGreylistEntries(this.#options.db);
    await this.#listener.start();
    this.#port = this.#listener.port;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#listener.stop();
    await this.#capture.idle();
    await this.#options.simulatedEvents?.stop();
  }

  #createListener(): SmtpListener {
    const { db, log, clock, identify } = this.#options;
    const dialogue: SandboxDialogueOptions = {
      log,
      identify,
      isFirstSight: (delivery) => isFirstSight(db, delivery),
      store: (envelope, raw) => this.#store(envelope, raw),
      stopping: this.#stopping.signal,
      maxMessageBytes: MAX_MESSAGE_BYTES,
    };
    const connections = { sessions: MAX_CONNECTIONS, sessionsPerAddress: Number.POSITIVE_INFINITY };
    return new SmtpListener({
      name: this.name,
      listen: { host: LOOPBACK, port: 0 },
      host: SANDBOX_MX_HOST,
      log,
      limits: { mayConnect: () => true },
      slots: new SessionSlots(connections, () => clock.nowMs(), 0),
      times: TIMES,
      paces: PACES,
      bounds: BOUNDS,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      tls: null,
      converse: () => new SandboxDialogue(dialogue),
    });
  }

  /** Stores one message for each recipient, as each would have found it. */
  async #store({ delivery, mailFrom, recipients }: SandboxEnvelope, raw: Buffer): Promise<string[]> {
    const delayMs = Math.max(
      ...recipients.map(({ behavior }) => (behavior.kind === 'accept' ? behavior.delayMs : 0)),
    );
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: this.#stopping.signal });
    const nowMs = this.#options.clock.nowMs();
    const summary = summarize(raw);
    const messages = recipients.map(({ address, behavior }) => ({
      ...delivery,
      ...summary,
      id: uuidv7(nowMs),
      receivedAt: new Date(nowMs),
      mailFrom,
      rcptTo: address,
      raw,
      greylisted: behavior.kind === 'greylist',
    }));
    await Promise.all(messages.map((message) => this.#capture.store(message)));
    for (const { address, behavior } of recipients) {
      if (behavior.kind !== 'accept' || behavior.afterwards === undefined) continue;
      this.#options.simulatedEvents?.follow(behavior.afterwards, {
        returnPath: mailFrom,
        recipient: address,
        raw,
      });
    }
    return messages.map((message) => message.id);
  }
}
