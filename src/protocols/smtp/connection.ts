/**
 * A connection to one SMTP server that carries one message after another.
 *
 * Owns: the channel, what the server offered, and whether a half-open transaction must be cleared first.
 * States: ready → (transact) → ready | closed. `closed` is final. The caller runs one transaction at a time.
 *
 * With PIPELINING a message costs two round trips: MAIL+RCPT+DATA in one write, then the body with its dot.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Capabilities } from './capabilities.ts';
import { isFailure, openChannel } from './channel.ts';
import { assertEnvelope, assertTarget } from './commands.ts';
import type { CutOff } from './cut-off.ts';
import type { Deadlines } from './deadlines.ts';
import type { Envelope, MayEnd, SmtpFacts, SmtpFinding, SmtpTarget } from './facts.ts';
import { greet, type Secured } from './handshake.ts';
import { type Link, Transcript } from './link.ts';
import type { TlsSessions } from './tls-sessions.ts';
import { transact } from './transaction.ts';

export interface Surroundings {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly tlsSessions: TlsSessions;
  readonly cutOff: CutOff;
}

interface SendResult {
  readonly facts: SmtpFacts;
  /** A reused connection was closed before the server replied: nothing was attempted. */
  readonly stale: boolean;
}

/** A connection ready for MAIL, or the facts of its failure. */
export async function openConnection(
  target: SmtpTarget,
  { clock, deadlines, tlsSessions, cutOff }: Surroundings,
): Promise<SmtpConnection | SmtpFacts> {
  assertTarget(target);
  const transcript = new Transcript();
  const channel = await openChannel(target, deadlines.connectMs, cutOff);
  if (isFailure(channel)) {
    transcript.noted(channel.detail);
    const finding: SmtpFinding = { kind: 'broken', phase: 'connect', ...channel, afterDot: false };
    return locate(finding, target, null, false, transcript);
  }
  const link: Link = { channel, target, clock, deadlines, transcript, tlsSessions, cutOff };
  const greeting = await greet(link);
  if (greeting.kind === 'greeted') return new SmtpConnection(link, greeting.capabilities, greeting.tls);
  void sayGoodbye(link, false);
  return locate(greeting.finding, target, greeting.tls, false, transcript);
}

export class SmtpConnection {
  readonly #link: Link;
  readonly #capabilities: Capabilities;
  readonly #tls: Secured | null;
  #messages = 0;
  #refusedInARow = 0;
  #needsReset = false;
  #quitSent = false;

  constructor(link: Link, capabilities: Capabilities, tls: Secured | null) {
    this.#link = link;
    this.#capabilities = capabilities;
    this.#tls = tls;
  }

  get isOpen(): boolean {
    return this.#link.channel.isOpen;
  }

  /** Transactions begun on this connection. */
  get messages(): number {
    return this.#messages;
  }

  /** Consecutive messages that the server refused. */
  get refusedInARow(): number {
    return this.#refusedInARow;
  }

  get quitSent(): boolean {
    return this.#quitSent;
  }

  /** `last` sends QUIT together with the dot when the connection retires anyway. */
  async send(envelope: Envelope, wire: Buffer, last: boolean, mayEnd: MayEnd): Promise<SendResult> {
    assertEnvelope(envelope);
    const reused = this.#messages++ > 0;
    const result = await transact(this.#link, {
      envelope,
      wire,
      offered: this.#capabilities,
      isVerified: this.#tls?.certificate.verified === true,
      resetFirst: this.#needsReset,
      quitAfter: last,
      mayEnd,
    });
    this.#needsReset = result.transactionOpen;
    this.#quitSent = result.quitSent;
    if (result.finding.kind === 'accepted') this.#refusedInARow = 0;
    if (result.finding.kind === 'refused') this.#refusedInARow += 1;
    if (!result.usable) this.close();
    const facts = locate(result.finding, this.#link.target, this.#tls, reused, this.#link.transcript);
    return { facts, stale: reused && result.unheard };
  }

  /**
   * Calls back once if the server sends data or disconnects while the connection is idle; null stops
   * watching.
   */
  watchIdle(whenDisturbed: (() => void) | null): void {
    this.#link.channel.watchIdle(whenDisturbed);
  }

  /** Sends QUIT, and closes after the reply or a short timeout. */
  async quit(): Promise<void> {
    await sayGoodbye(this.#link, this.#quitSent);
  }

  close(): void {
    this.#link.channel.destroy();
  }
}

async function sayGoodbye(link: Link, quitSent: boolean): Promise<void> {
  if (!link.channel.isOpen) return;
  link.channel.spare();
  if (!quitSent) link.channel.write('QUIT\r\n');
  await link.channel.readReply(link.deadlines.epilogueMs);
  link.channel.destroy();
}

function locate(
  finding: SmtpFinding,
  target: SmtpTarget,
  tls: Secured | null,
  reused: boolean,
  transcript: Transcript,
): SmtpFacts {
  const { host, address, port } = target;
  const secured = { tls: tls?.words ?? null, certificate: tls?.certificate ?? null };
  return { host, address, port, reused, transcript: transcript.take(), ...secured, ...finding };
}
