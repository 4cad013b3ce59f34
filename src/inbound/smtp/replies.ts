/** What only the receiver of bounces and complaints answers. */
import { reply } from '../../kit/smtp/server/replies.ts';

export const INBOUND_REPLIES = {
  stored: reply(250, '2.0.0', 'Stored'),
  tooFast: reply(450, '4.7.0', 'Too much mail from your address, try again later'),
  cannotLookUp: reply(451, '4.3.0', 'The address cannot be looked up at the moment, try again later'),
  notStored: reply(451, '4.3.0', 'The message could not be stored, try again later'),
  full: reply(452, '4.3.1', 'Insufficient storage, try again later'),
  oneRecipient: reply(452, '4.5.3', 'One recipient per message'),
  noAuthentication: reply(502, '5.5.1', 'Authentication is not supported'),
  unknownMailbox: reply(550, '5.1.1', 'No such address here'),
  expiredMailbox: reply(550, '5.1.1', 'This return path has expired'),
  elsewhere: reply(550, '5.7.1', 'This server accepts only bounces and complaints about its own mail'),
} as const;
