/** Less usual words about the mailbox. Compared after those of words-recipient.ts. */
import { each, SENDER } from './phrases.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

const ANY_MAILBOX = list('recipient, user, mailbox, address, account, name, alias, @');
const NOT_OF_MAILBOX = [
  ...SENDER,
  ...list(
    'from, ip, #, client, your domain, your host, your server, your account, relay, ptr, reverse, helo, ehlo, size',
  ),
];

export const RECIPIENT_IN_OTHER_WORDS: readonly Entry[] = [
  {
    id: 'mailbox-gone-in-other-words',
    phases: AFTER_RCPT,
    words: [
      ...each(
        ANY_MAILBOX,
        list(`
          not ~ database, not ~ table, not our records, not our system, not this system, not this server, not resolved,
          not in use, never been created, never created, no entry, not mapped, not served here, not work here,
          not employed, not with us, not working here, gone away, not deliverable, undeliverable, misspelled, mistyped,
          does not appear
        `),
      ),
      ...list('user gone, mailbox gone, account gone, recipient gone'),
      ...list('unregistered, unassigned, no matching, not known, misspelled').flatMap((none) =>
        list('recipient, user, mailbox, account').map((subject) => `${none} ${subject}`),
      ),
      ...list(`
        undefined recipient, undefined user, undefined alias, not know anyone, know no one, not know any,
        not work here, not works here, not valid local address,
        not valid local user, not local mailbox, unknown here, unknown at ~ host, unknown at ~ site, nobody known
      `),
    ],
    unless: [...NOT_OF_MAILBOX, 'timed out', 'not available', 'error', 'policy', 'spam', 'block'],
    means: 'unknown_recipient',
  },
  {
    // Only at RCPT: after the message such words may be about an address in a header.
    id: 'address-syntax-in-other-words',
    phases: ['rcpt'],
    words: list(`
      must specify domain, address must qualified, recipient must qualified, address must fully qualified,
      recipient must fully qualified, address not qualified, address not fully qualified, recipient not qualified,
      address length ~ exceed, address too long, local part too long, invalid fax, invalid phone number,
      invalid telephone number, user address required, uucp addressing, at sign local part
    `),
    unless: [...NOT_OF_MAILBOX, 'your address', 'your mail address'],
    means: 'unknown_recipient',
  },
  {
    id: 'mailbox-not-here',
    phases: AFTER_RCPT,
    words: each(
      list('mailbox, account, address, @'),
      list('not available here, unavailable here, not available server, not available system'),
    ),
    unless: [...NOT_OF_MAILBOX, 'temporarily', 'try again', 'policy', 'spam', 'block'],
    means: 'unknown_recipient',
  },
  {
    id: 'mailbox-off-in-other-words',
    phases: AFTER_RCPT,
    words: [
      ...each(
        ANY_MAILBOX,
        list(`
          shut off, no longer in service, no longer monitored, no longer used, no longer read,
          not monitored, unmonitored, ceased, wound up, ended
        `),
      ),
      ...list(
        'cancelled account, cancelled mailbox, terminated account, customer cancelled, closed by ~ owner',
      ),
    ],
    unless: [...NOT_OF_MAILBOX, 'temporarily', 'try again'],
    means: 'mailbox_disabled',
  },
  {
    id: 'mailbox-barred-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      account blocked ~ abuse, user blocked ~ abuse, mailbox blocked ~ abuse, user on hold, account on hold,
      mailbox on hold,
      account ~ under review, mailbox ~ under review, account ~ seized, account ~ compromised, mailbox ~ compromised
    `),
    unless: ['your', 'sender', 'ip', '#'],
    means: 'mailbox_disabled',
    keep: true,
  },
  {
    id: 'mailbox-full-in-other-words',
    phases: AFTER_RCPT,
    words: each(
      list('recipient, user, mailbox, account, inbox, maildir, mail folder, customer'),
      list(`
        hit ~ limit, hits ~ limit, storage at 100, at 100 percent, over ~ allotted, run out, ran out,
        no more space, no more room, used up, crammed, overflow, overflowing, overflowed, stuffed,
      `),
    ),
    unless: ['rate', 'per hour', 'per day', 'sender', 'message size', 'message too', 'time'],
    means: 'mailbox_full',
  },
  {
    id: 'mailbox-moved-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      now lives, now at @, now uses @, now use @, please use @, please write @, use instead @, use @ instead, new mailbox @,
      contact ~ now @, reach ~ now @, successor, replacement address
    `),
    unless: list('user unknown, try again, postmaster, report, question, unblock, delist, contact your'),
    means: 'mailbox_moved',
  },
  {
    id: 'mailbox-in-use-in-other-words',
    phases: AFTER_RCPT,
    words: ['mailbox ~ another session', 'mailbox ~ another process', 'mailbox ~ other session'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'receives-too-fast-in-other-words',
    phases: AFTER_RCPT,
    words: list(`
      mailbox ~ faster, recipient ~ faster, user ~ faster, over ~ inbound message, over ~ inbound limit,
      recipient ~ too popular,
    `),
    unless: ['size', 'quota', 'storage', 'space', 'from your', '#'],
    means: 'recipient_receives_too_fast',
  },
];
