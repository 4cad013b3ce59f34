import type { SmtpReply } from './facts.ts';

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
