/** What a server answers, whatever it takes mail for. */
export interface Reply {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

export const REPLIES = {
  ok: reply(250, '2.0.0', 'Ok'),
  senderOk: reply(250, '2.1.0', 'Ok'),
  recipientOk: reply(250, '2.1.5', 'Ok'),
  chunkOk: reply(250, '2.0.0', 'Chunk received'),
  bye: reply(221, '2.0.0', 'Bye'),
  startTls: reply(220, '2.0.0', 'Ready to start TLS'),
  cannotVerify: reply(252, '2.5.0', 'Cannot verify, but will accept the message'),

  busy: reply(421, '4.7.0', 'Too many connections from your address, try again later'),
  tooManyErrors: reply(421, '4.7.0', 'Too many errors'),
  tooManyMessages: reply(421, '4.7.0', 'Too many messages on one connection, open another'),
  tooManyCommands: reply(421, '4.7.0', 'Too many commands without a message'),
  timeout: reply(421, '4.4.2', 'Timeout'),
  noLogin: reply(
    421,
    '4.4.2',
    'Timeout: no AUTH or MAIL was accepted in time; other commands do not extend it',
  ),
  noMail: reply(421, '4.4.2', 'Timeout: no MAIL was accepted in time; other commands do not extend it'),
  tooSlow: reply(421, '4.4.2', 'Timeout: the message arrived too slowly, try again later'),
  full: reply(421, '4.3.2', 'Too many connections at the moment, try again later'),
  madeRoom: reply(421, '4.3.2', 'Too many connections at the moment, and this one was idle: try again later'),
  http: reply(421, '4.7.0', 'This is a mail server: it speaks SMTP, not HTTP'),
  stopping: reply(421, '4.3.2', 'Shutting down, try again later'),

  malformed: reply(500, '5.5.2', 'The line is too long, or does not end with CRLF'),
  unknown: reply(500, '5.5.1', 'Command not recognized'),
  argument: reply(501, '5.5.4', 'Syntax error in the argument'),
  notImplemented: reply(502, '5.5.1', 'Not implemented'),
  sequence: reply(503, '5.5.1', 'Bad sequence of commands'),
  noTls: reply(454, '4.7.0', 'TLS is not available'),
  tooLarge: reply(552, '5.3.4', 'The message is too large'),
  parameter: reply(555, '5.5.4', 'Parameter not recognized'),
  noRecipient: reply(554, '5.5.1', 'No valid recipients'),
} as const;

/** What EHLO is answered; HELO without offers. */
export function greeting(host: string, offers: readonly string[]): string {
  const lines = [host, ...offers];
  return lines.map((line, i) => `250${i === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join('');
}

export function replyLine({ code, enhanced, text }: Reply): string {
  return `${code} ${enhanced} ${text}\r\n`;
}

export function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}
