/** What the receiver answers. */
export interface Reply {
  readonly code: number;
  readonly enhanced: string;
  readonly text: string;
}

export const REPLIES = {
  ok: reply(250, '2.0.0', 'Ok'),
  senderOk: reply(250, '2.1.0', 'Ok'),
  recipientOk: reply(250, '2.1.5', 'Ok'),
  stored: reply(250, '2.0.0', 'Stored'),
  bye: reply(221, '2.0.0', 'Bye'),
  startTls: reply(220, '2.0.0', 'Ready to start TLS'),
  cannotVerify: reply(252, '2.5.0', 'Cannot verify, but will accept the message'),

  busy: reply(421, '4.7.0', 'Too many connections from your address, try again later'),
  tooFast: reply(450, '4.7.0', 'Too much mail from your address, try again later'),
  tooManyErrors: reply(421, '4.7.0', 'Too many errors'),
  tooManyMessages: reply(421, '4.7.0', 'Too many messages on one connection, open another'),
  tooManyCommands: reply(421, '4.7.0', 'Too many commands without a message'),
  timeout: reply(421, '4.4.2', 'Timeout'),
  stopping: reply(421, '4.3.2', 'Shutting down, try again later'),
  cannotLookUp: reply(451, '4.3.0', 'The address cannot be looked up at the moment, try again later'),
  notStored: reply(451, '4.3.0', 'The message could not be stored, try again later'),
  full: reply(452, '4.3.1', 'Insufficient storage, try again later'),
  oneRecipient: reply(452, '4.5.3', 'One recipient per message'),

  malformed: reply(500, '5.5.2', 'Lines end with CRLF and are shorter than that'),
  unknown: reply(500, '5.5.1', 'Command not recognized'),
  argument: reply(501, '5.5.4', 'Syntax error in the argument'),
  notImplemented: reply(502, '5.5.1', 'Not implemented'),
  noAuthentication: reply(502, '5.5.1', 'Authentication is not supported'),
  sequence: reply(503, '5.5.1', 'Bad sequence of commands'),
  noTls: reply(454, '4.7.0', 'TLS is not available'),
  tooLarge: reply(552, '5.3.4', 'The message is too large'),
  parameter: reply(555, '5.5.4', 'Parameter not recognized'),
  noRecipient: reply(554, '5.5.1', 'No valid recipients'),
  unknownMailbox: reply(550, '5.1.1', 'No such address here'),
  expiredMailbox: reply(550, '5.1.1', 'This return path has expired'),
  elsewhere: reply(550, '5.7.1', 'This server accepts only bounces and complaints about its own mail'),
} as const;

export function replyLine({ code, enhanced, text }: Reply): string {
  return `${code} ${enhanced} ${text}\r\n`;
}

function reply(code: number, enhanced: string, text: string): Reply {
  return { code, enhanced, text };
}
