/** One question and its answer: the small vocabulary that the handshake and the transaction are written in. */
import type { Clock } from '../../runtime/clock.ts';
import { type Channel, isFailure } from './channel.ts';
import type { CutOff } from './cut-off.ts';
import type { Deadlines } from './deadlines.ts';
import type { SmtpBroken, SmtpFinding, SmtpPhase, SmtpReply, SmtpTarget } from './facts.ts';
import type { ParsedReply } from './reply-parser.ts';
import type { TlsSessions } from './tls-sessions.ts';

export interface Link {
  readonly channel: Channel;
  readonly target: SmtpTarget;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly transcript: Transcript;
  readonly tlsSessions: TlsSessions;
  readonly cutOff: CutOff;
}

/** Sends a command and waits for an answer of the class; any other answer is the finding. */
export async function command(
  link: Link,
  phase: SmtpPhase,
  line: string,
  classWanted: 2 | 3,
  timeoutMs: number,
  shownAs: string = line,
): Promise<ParsedReply | SmtpFinding> {
  link.transcript.sent(shownAs);
  link.channel.write(`${line}\r\n`);
  return await expect(link, phase, classWanted, timeoutMs);
}

export async function expect(
  link: Link,
  phase: SmtpPhase,
  classWanted: 2 | 3,
  timeoutMs: number,
  afterDot = false,
): Promise<ParsedReply | SmtpFinding> {
  const reply = await link.channel.readReply(timeoutMs);
  if (isFailure(reply)) {
    link.transcript.noted(reply.detail);
    return { kind: 'broken', phase, failure: reply.failure, detail: reply.detail, afterDot };
  }
  link.transcript.received(reply);
  const replyClass = Math.floor(reply.code / 100);
  if (replyClass === classWanted) return reply;
  if (replyClass >= 4) return { kind: 'refused', phase, reply: plainReply(reply) };
  return unexpected(phase, reply, afterDot);
}

export function isFinding(value: ParsedReply | SmtpFinding): value is SmtpFinding {
  return 'kind' in value;
}

export function plainReply(reply: ParsedReply): SmtpReply {
  return { code: reply.code, enhanced: reply.enhanced, text: reply.text };
}

function unexpected(phase: SmtpPhase, reply: ParsedReply, afterDot: boolean): SmtpBroken {
  const detail = `${reply.code} is no answer to this command: ${reply.text.slice(0, 200)}`;
  return { kind: 'broken', phase, failure: 'garbage', detail, afterDot };
}

const MAX_LINES = 60;
const MAX_LINE_CHARS = 300;

/** The conversation of one attempt in short strings, kept so that a person can be told later what happened. */
export class Transcript {
  #lines: string[] = [];

  sent(command: string): void {
    this.#add('> ', command);
  }

  received(reply: SmtpReply): void {
    this.#add('< ', `${reply.code} ${reply.text}`);
  }

  noted(remark: string): void {
    this.#add('- ', remark);
  }

  /** Hands the lines over and starts again empty, for the next message on the same connection. */
  take(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #add(mark: string, text: string): void {
    if (this.#lines.length >= MAX_LINES) return;
    this.#lines.push(mark + (text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text));
  }
}
