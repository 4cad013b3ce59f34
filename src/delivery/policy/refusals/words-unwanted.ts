/** Words about mail that the recipient refuses, and about recipients that accept no mail. */
import { each } from './phrases.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

export const UNWANTED: readonly Entry[] = [
  {
    id: 'denied-by-recipient',
    phases: AFTER_RCPT,
    words: [
      ...each(['recipient', 'user'], list('denied your, refused your, declined your, not like your')),
      ...list('address block ~ user, address block ~ recipient'),
    ],
    unless: ['your host', 'your server', 'your connection'],
    means: 'sender_refused',
  },
  {
    id: 'refused-by-recipient',
    phases: AFTER_RCPT,
    words: list(`
      user ~ blocked you, recipient ~ blocked you, user ~ blocked your, recipient ~ blocked your, user blocked ~ from,
      recipient blocked ~ from, block recipient, block user, blacklist recipient, refuse receive, refuses receive,
      user rules, only accepting mail from specific, not want mail, not want ~ from, not wish ~ from,
      not wish ~ receive, not want ~ receive, recipient not want, recipient not accept your, user not accept your,
      refuse accept your mail, recipient refuse ~ your, user s ~ list,
      user reject list, recipient s ~ list, recipient reject list, recipient s filter, user s filter,
      recipient not accept mail from, user not accept mail from, not allowed send recipient, not allowed send ~ recipient,
      not allowed send mail recipient, not allowed send mail address, not allowed send ~ address, @ not accepting mail from, recipient not accepting mail from, user not accepting mail from,
      mailbox not accepting mail from, only ~ received from, only receive mail from, only receive messages from, receive only from,
      receive mail only from, receive messages only from, only internal mail,
      closed system, approved external, approved addresses, recipient s allow list, recipient reject mail from,
      recipient ~ rejected mail from, recipient refuse ~ sender, recipient refuse mail from, restricted mailing list,
      list restricted, restricted members, closed ~ members, not accepting mail from external, domain s blacklist,
      domain s blocklist, domain s block list,
      mail reject recipient, message reject recipient, mail reject user, message reject user, refused recipient s,
      reject recipient s, personal block list, personal blocklist, personal blacklist, blocked senders list
    `),
    unless: list(`
      ip, #, your host, your server, recipient server, found ~ list, quota, relay, recipient setting,
      recipient preferences
    `),
    means: 'sender_refused',
  },
  {
    id: 'recipient-on-their-list',
    phases: AFTER_RCPT,
    permanent: true,
    words: list(`
      recipient @ blacklist, recipient @ black list, recipient @ block list, recipient @ blocklist,
      recipient address blacklist, recipient address black list, rcpt @ blacklist, rcpt @ black list,
      user @ blacklist, recipient in ~ blacklist, recipient blacklist, recipient black list
    `),
    unless: ['sender', 'ip', 'your', 'client', 'blacklist recipient', 'host', 'domain'],
    means: 'mailbox_unavailable',
  },
];
