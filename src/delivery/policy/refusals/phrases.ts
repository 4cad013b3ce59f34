/** Phrases that many servers use, by subject, for the entries of common-words.ts. Their syntax is in words.ts. */

import { list } from './words.ts';

/** Every subject with every statement about it, up to five words apart. */
export function each(subjects: readonly string[], statements: readonly string[]): readonly string[] {
  return subjects.flatMap((subject) => statements.map((statement) => `${subject} ~ ${statement}`));
}

export const SENDER = list(`
  sender, mail from, mailfrom, from address, from domain, envelope from, return path, return address, reverse path,
  originator, return mail domain, from host, your from, expediteur, emetteur, absender, absenderadresse, absenderdomain, remitente,
  remetente, mittente,
  отправитель, отправителя, 发件人, 寄件者, 送信者, 送信元, 差出人, 发信人, 寄件人, 발신자, 보낸사람, nadawca, nadawcy,
  odesilatel, odesilatele, gonderen, gonderici, afzender, avsandare, afsender, felado
`);

export const NOT_THERE = list(`
  not exist, not found, unknown, invalid, not valid, not known, nonexistent, non existent, not resolve,
  not recognized, n existe pas, inconnu, inconnue, existiert nicht, unbekannt, no existe, desconocido, nao existe,
  non esiste, sconosciuto, inesistente, bestaat niet, nie istnieje, не существует, не найден, 不存在, 存在しません, neexistuje,
  onbekend, nicht auflosbar, nicht aufgelost, ungultig, introuvable, inexistant, inexistante, invalide, no encontrado,
  nao encontrado, inexistente, invalido, non valido, non trovato, nieznany, nieprawidlowy, niepoprawny, neznamy, neplatny,
  недеиствителен, неверныи, неизвестен, gecersiz, bulunamadı, mevcut degil, 无效, 無効, 不正, 잘못된, 존재하지
`);

const MAILBOX = list('user, mailbox, recipient, account, alias, inbox');
const PERSON = list(
  'person, employee, colleague, student, name, local part, localpart, subscriber, login, group, list',
);

/** What is said of somebody or something that is not there. */
const GONE = list(`
  not exist, not found, not valid, not known, not recognized, no longer exist, no longer valid, deleted, removed,
  unknown, not present, not listed, not registered, not defined, undefined, unassigned, not assigned, unallocated,
  not match, nonexistent, never existed, malformed, invalid, no longer available, not invalid, not correct,
  unroutable, not routable, not one ours, not located, not identified, not configured, fictitious, not created,
  ceased exist, no such, not provisioned, not hosted, not belong, not here, not resolve, no longer on file, no longer system, no longer server,
  no longer our, no longer site
`);
const NO = list(`
  unknown, no such, not find, not locate, not identify, nonexistent, no known, not known, not recognized, not valid,
  invalid, bad, undefined, unregistered, unassigned, unlisted, unroutable, deleted, no matching, not resolve,
  not existing
`);
const NOBODY = list(
  'user, mailbox, account, person, alias, inbox, local user, local part, localpart, mail box, customer, name',
);

export const UNKNOWN_MAILBOX = [
  ...each([...MAILBOX, ...PERSON, 'rcpt'], [...GONE, 'not on file']),
  ...each(['address', '@'], GONE),
  ...[...NO, 'no', 'no valid', 'not have'].flatMap((none) => NOBODY.map((subject) => `${none} ${subject}`)),
  ...NO.flatMap((none) =>
    ['recipient', 'address', 'rcpt', 'mail address'].map((subject) => `${none} ${subject}`),
  ),
  ...list(`
    rcptrejected . unknown, rcptrejected . invalid, rcptrejected . not found, rcptrejected . not exist,
    unrouteable address, unroutable address, undeliverable address, user left, recipient left, user ~ since left,
    recipient ~ since left, employee ~ left, person ~ left, @ left, colleague ~ left, no longer employ,
    no longer work, no longer employee, incorrectly addressed, left ~ company, left ~ organization, left ~ organisation, left ~ firm, left ~ university,
    recipient not ~ list, not found recipient, not recipient list, not list valid recipient, not list of recipients, no recipient ~ name, not route list, not list ~ valid address,
    no longer here, no longer us, no longer ~ company, no longer ~ organization, never heard, deleted account,
    deleted mailbox, deleted user, address unknown, @ unknown, unknown local, unknown or illegal alias,
    unknown or invalid user, unknown or invalid recipient, unknown virtual user, no such local, no such id,
    no such name, no such mail, no such customer, no such subscriber, no such employee, no such member, no such group,
    no such alias, no such list, no record ~ user, no record ~ person, no record ~ recipient, no record ~ mailbox,
    no record ~ address, no record ~ @, no record ~ name, recipient invalid, user invalid, mailbox invalid,
    account invalid, no account ~ name, no user ~ here, no entry ~ user, no entry ~ @, not user, not mailbox,
    not recipient here, not known user, not known recipient, not known here, not our user, not registered user,
    not registered here, not registered ~ user, not have ~ account, not have ~ mailbox, not have ~ user,
    no one ~ address, no one ~ name, no one called, no one here, nobody ~ name, nobody called, nobody here,
    nobody ~ address, not listed domino, not exist here, not active address, recipnotfound, recipientnotfound,
    recipient notfound, nosuchuser, userunknown, unknownuser, bad destination mailbox, bad mailbox, badrcptto,
    not our directory, not our address book, not present directory, recipient not directory, user not directory, address not directory, not found directory, not found ldap,
    not in directory, @ not directory, not organization directory, missing home, address lookup fail, not local user,
    address invalid, recipient not local, not local address, no ~ name directory,
    user not local, validrcptto, not in name directory, lookup ~ not found, address marked invalid,
    user ~ marked invalid, recipient ~ marked invalid, not valid rfc 5321 address, recipient ~ not valid address,
    not route mail user, address syntax, restricted characters, recipient address must contain,
    mailbox name not allowed, domain missing, missing domain, malformed recipient, malformed address,
    address not valid, not valid address, not valid user, not valid recipient, not valid mailbox,
    address not ~ here, mail not exist,
    mail not found, not exist user, not exist ~ user, not exist mailbox, not member domain, not member ~ domain, not exist account, not exist recipient,
    recipient undeliverable, recipients undeliverable, address undeliverable, user not ~ here, no user here,
    no valid mailbox, recipient address contains, illegal ~ recipient address, recipient ~ illegal, recipient syntax,
    typo ~ address, such user, recipient address not conform, recipient address not comply, recipient address ~ syntax,
    final delivery user, no final delivery, not have final mail delivery, no final mail delivery,
    recipient address not ~ list, not route @, no redirect, no forwarding entry, bogus ~ address,
    recipient verify ~ fail, account or domain may not exist, domain or user not, such domain or user, such domain or mailbox, invalid inactive user, invalid or inactive user
  `),
];

/** A mailbox that nobody used for long: whatever was done about that, nobody reads it. */
export const UNUSED_MAILBOX = [
  ...each(
    [...MAILBOX, '@', 'address'],
    list('inactivity, not used, unused, not logged in, never logged, not entered, no activity'),
  ),
  ...list(
    'extended inactivity, no recipient activity, no user activity, no account activity, noactivity, deleted ~ inactivity, closed ~ inactivity',
  ),
];

export const DISABLED_MAILBOX = [
  ...UNUSED_MAILBOX,
  ...each(
    [...MAILBOX, '@', 'address'],
    list(`
      disabled, suspended, deactivated, not active, terminated, discontinued, frozen, closed, inactive, expired,
      archived, cancelled, canceled, retired, switched off, turned off, withdrawn, dormant, not enabled,
      no longer active, no longer use, not activated, hibernated, pending deletion, scheduled deletion, marked deletion, abandoned, lapsed, shut down, decommissioned, obsolete, no longer open
    `),
  ),
  ...each(
    list('inactive, disabled, deactivated, suspended, closed, expired, archived, dormant, discontinued'),
    ['user', 'account', 'mailbox', 'recipient', 'mail address'],
  ),
  ...each(
    list('subscriber, customer'),
    list('terminated, cancelled, canceled, closed, discontinued, disabled, deactivated, expired'),
  ),
  ...list(
    'terminated, cancelled, canceled, retired, not active, not enabled, disabled, inactive, closed, expired',
  ).flatMap((off) =>
    list('user, account, mailbox, recipient, address, mail address').map((subject) => `${off} ${subject}`),
  ),
  ...list(`
    rcptrejected . inactive, rcptrejected . disabled, rcptrejected . expired, rcptrejected . closed, identity obsolete, account ~ locked,
    user ~ locked, mailbox ~ locked, no longer accept mail, no longer accept messages,
    service ~ mailbox ~ cancelled, recipient account blocked, user account blocked, receiving disabled,
    accountdisabled, accountdisabledexception, reception disabled, incoming mail disabled,
    delivery disabled, mail service disabled, mail ~ disabled ~ user, mail ~ disabled ~ account, 已被禁用, 已停用, 已注销
  `),
];

/** It is there, and its owner may be let in again: nothing that lasts for certain. */
export const SUSPENDED_MAILBOX = [
  ...each(['user', 'recipient', '@'], list('should log in, must log in ~ receive, log in ~ enable')),
  ...each(
    [...MAILBOX, '@', 'address'],
    list('suspended, suspension, frozen, locked, on hold, hangup, barred, blocked administrator'),
  ),
  ...list('suspended, locked, frozen').flatMap((held) =>
    list('recipient, user, address, mail address').map((subject) => `${held} ${subject}`),
  ),
  ...list(`
    rcptrejected . suspended, rcptrejected . locked, domain suspended, domain ~ suspended, domain disabled,
    domain ~ locked, domain ~ frozen, domain expired, non payment, unpaid, not paid, overdue, outstanding payment,
    outstanding invoice, suspended account, suspended user, suspended mailbox, locked account, locked mailbox,
    recipient account ~ blocked, user account ~ blocked, account blocked, mailbox blocked, user @ blocked,
    mailbox @ blocked, recipient blocked ~ receiv, account ~ blocked administrator, blocked ~ non payment, 被冻结, 被锁, 已锁定
  `),
];

export const FULL_MAILBOX = [
  ...each(
    [...MAILBOX, '@', 'maildir', 'mailfolder'],
    list(`
      full, no space, not enough, over limit, over ~ limit, no room, overfull, at capacity, space exceed, over size,
      out of room, allocated space, all of its space, insufficient storage, insufficient disk,
      space limit, maximum size, reached ~ maximum size, too many messages stored
    `),
  ),
  ...each(list('insufficient storage, insufficient disk, not enough disk, not enough storage'), [
    ...MAILBOX,
    '@',
  ]),
  ...list(`
    full mailbox, full inbox, over quote, quota not allow, exhausted ~ storage, exhausted ~ space, exhausted ~ quota, out quota, quota over, quota overflow, above quota, above ~ quota, not enough quota, over quota, overquota, over ~ quota, quota exceed, quota ~ exceed, exceed ~ quota,
    exceed ~ mailbox, exceed ~ storage, storage ~ exceed, storage full, out storage, storage limit, storage capacity,
    disk quota, diskspace quota, userdisk quota, domaindisk quota, mail file size exceed, quota violation,
    mailbox ~ size limit, domain size limit, mailbox ~ limit, mailbox ~ too large, quota full, not enough storage space,
    not have enough space, space ~ used up, would exceed ~ storage, too much mail data, too many messages ~ server,
    quotaexceeded, overquotatemp, overquotaperm, quota ~ reached, reached ~ quota, no room, no space left,
    space exhausted, space ~ exhausted, storage ~ exhausted, quota exhausted, quota ~ exhausted, storage ~ used up,
    quota ~ used up, out of space, not have ~ space, not have ~ room, no ~ storage left, no free space,
    not enough room, not enough space, insufficient space, mailbox ~ insufficient, space ~ insufficient,
    allotment ~ exceed, allocation ~ exceed, quota limit, 空间不足, 空間不足
  `),
];

/** By which a block is of the sender's domain or address, and not of where the mail comes from. */
export const SENDERS_DOMAIN = list(`
  your domain, sending domain, sender domain, domain ~ blacklist, domain ~ blocklist, domain ~ list, rhsbl,
  domain ~ block, domain ~ banned, sender ~ block, sender ~ blacklist, sender ~ list, dbl, domain reputation,
  reputation ~ domain, from domain, mailfrom domain, mail from domain, sender address, envelope ~ block,
  domain of ~ sender, address ~ blacklist, blocked sender, sender ~ banned, domain ~ reputation, from address,
  dominio remetente, dominio ~ remitente, dominio ~ mittente, domaine expediteur, domaine ~ expediteur,
  domaine ~ emetteur, absenderdomain, domain ~ absender, домен отправителя, votre domaine, ihre domain, su dominio, seu dominio, vostro dominio, uw domein, ваш домен, 发件域, 发件人域名, 送信元ドメイン
`);

/** Who the refusal is about, so that it is not about the message. */
export const NAMED = list(`
  ip, #, client, your host, your server, your network, your mail server, mta, sender, your domain, sending domain,
  from domain, from address, reputation
`);
