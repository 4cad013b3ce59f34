/** The replies that only this mail server gives. */
import { reply } from '../../protocols/smtp/server/replies.ts';

export const INBOUND_REPLIES = {
  stored: reply(250, '2.0.0', 'Stored'),
  tooFast: reply(450, '4.7.0', 'Too much mail from your address, try again later'),
  cannotLookUp: reply(451, '4.3.0', 'The address cannot be looked up at the moment, try again later'),
  notStored: reply(451, '4.3.0', 'The message could not be stored, try again later'),
  full: reply(452, '4.3.1', 'Insufficient storage, try again later'),
  oneRecipient: reply(452, '4.5.3', 'One recipient per message'),
  tooManyReceivers: reply(452, '4.5.3', 'Too many recipients, send to the others in another message'),
  mailboxFull: reply(452, '4.2.2', 'No more mail for this address for now, try again later'),
  noAuthentication: reply(502, '5.5.1', 'Authentication is not supported'),
  tooLargeHere: reply(552, '5.3.4', 'Messages to this address are limited to 25 MB'),
  badByte: reply(
    554,
    '5.6.0',
    'The message has a CR without LF, a LF without CR or a NUL: lines end with CRLF',
  ),
  tooManyHops: reply(554, '5.4.6', 'Too many hops: this looks like a loop'),
  unknownMailbox: reply(550, '5.1.1', 'No such address here'),
  expiredMailbox: reply(550, '5.1.1', 'This return path has expired'),
  elsewhere: reply(550, '5.7.1', 'This server does not receive mail for this address, and relays none'),
} as const;
