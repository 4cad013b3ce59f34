/**
 * The SMTP session of a reply quoted in a free-text bounce: its mail host, and its command. Reports without machine-readable
 * fields describe these around the reply. Only for texts of bounded length.
 */
import type { SmtpPhase } from '../../protocols/smtp/facts.ts';

export interface QuotedSession {
  readonly remoteHost: string | null;
  readonly phase: SmtpPhase;
}

/** `host mx.example.com[192.0.2.1] said`, `host: mx.example.com (…) reason`, `while talking to mx.example.com.:`. */
const HOST = /(?<!\bat )\b(?:host:?|talking to) ((?:[a-z0-9_-]{1,63}\.){1,9}[a-z][a-z0-9-]{0,62})/i;

/** Exim writes "after", GMX and IONOS "for … command", Postfix "in reply to". GMX calls the message TEXT. */
const COMMANDS: readonly (readonly [RegExp, SmtpPhase])[] = [
  [/\b(?:after|for|in reply to) (?:pipelined )?(?:end of data|text\b)/i, 'dot'],
  [/\b(?:after|for|in reply to) (?:pipelined )?mail from\b/i, 'mail'],
  [/\b(?:after|for|in reply to) (?:pipelined )?(?:ehlo|helo)\b/i, 'ehlo'],
  [/\b(?:after|for|in reply to) (?:initial connection|greeting)\b/i, 'banner'],
];

/** If the text names no command, the reply counts as one to RCPT. */
export function quotedSession(text: string): QuotedSession {
  const words = text.replace(/\s+/g, ' ');
  return {
    remoteHost: HOST.exec(words)?.[1]?.toLowerCase() ?? null,
    phase: COMMANDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'rcpt',
  };
}
