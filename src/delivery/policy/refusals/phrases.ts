/** Phrases that many servers use, by what they speak of, for the lines of common-words.ts. How they are read: words.ts. */

import { list } from './words.ts';

/** Every subject with every statement about it, up to five words apart. */
export function each(subjects: readonly string[], statements: readonly string[]): readonly string[] {
  return subjects.flatMap((subject) => statements.map((statement) => `${subject} ~ ${statement}`));
}

export const SENDER = list(`
  sender, mail from, mailfrom, from address, from domain, envelope from, return path, reverse path,
  originator, expediteur, emetteur, absender, absenderadresse, absenderdomain, remitente, remetente,
  mittente, отправитель, отправителя, 发件人, 寄件者, 送信者
`);

export const NOT_THERE = list(`
  not exist, not found, unknown, invalid, not valid, not known, nonexistent, non existent, not resolve,
  not recognized, n existe pas, inconnu, inconnue, existiert nicht, unbekannt, no existe, desconocido,
  nao existe, non esiste, sconosciuto, inesistente, bestaat niet, nie istnieje, не существует,
  не найден, 不存在, 存在しません, neexistuje, onbekend
`);

export const UNKNOWN_MAILBOX = [
  ...each(
    list(`
      user, mailbox, recipient, account, addressee, alias
    `),
    list(`
      not exist, not found, not valid, not known, not recognized, no longer exist, no longer valid, deleted, removed
    `),
  ),
  ...each(
    ['address', '@'],
    list(`
    not exist, not found, not known, not recognized, no longer exist, no longer valid
  `),
  ),
  ...list(`
    unrouteable address, unroutable address, user left, recipient left, user ~ since left, recipient ~ since left, employee ~ left, person ~ left, @ left,
    colleague ~ left,
    no longer employ, no longer work, left ~ company, left ~ organization, left ~ organisation, recipient not ~ list,
    not route list, no longer here, no longer us, no longer ~ company, no longer ~ organization, never heard, deleted account, deleted mailbox, deleted user, not found recipient, not recipient list, user unknown, recipient unknown, mailbox unknown, account unknown, address unknown, @ unknown,
    addressee unknown, unknown user, unknown recipient, unknown mailbox, unknown account,
    unknown address, unknown local part, unknown localpart, unknown alias, unknown or illegal alias,
    unknown or invalid user, unknown or invalid recipient, unknown virtual user, unknown mail address,
    no such user, no such recipient, no such mailbox, no such address, no such person, no such account,
    no record ~ user, no record ~ person, no record ~ recipient, no record ~ mailbox, no record ~ address, no record ~ @,
    no such local, no such id, no such name, no such mail, no such customer, no such subscriber,
    invalid recipient, invalid user, invalid mailbox, invalid account, recipient invalid, user invalid,
    mailbox invalid, account invalid, invalid rcpt, invalid addressee, invalid local part, no mailbox,
    no account ~ name, no user ~ here, not valid user, not valid recipient, not valid mailbox,
    not known user, not known recipient, not known here, not our user,
    not registered user, not registered here, not registered ~ user, not have ~ account,
    not have ~ mailbox, no one ~ address, nobody ~ name, nobody here, not listed domino, not exist here,
    not active address, user not exist, recipnotfound, recipientnotfound, recipient notfound,
    nosuchuser, userunknown, unknownuser, bad destination mailbox, bad recipient, bad mailbox, bad rcpt,
    non existent user, nonexistent user, non existent mailbox, nonexistent mailbox,
    nonexistent recipient, non existent recipient, badrcptto, nonexistent address, non existent address,
    nonexistent account, non existent account, not present directory, recipient not directory, user not directory, address not directory, not found directory, not in directory, missing home, address lookup fail, not local user,
    address invalid, invalid address, recipient not local, not local address, mailbox not present,
    no mail box, unknown local user, unavailable or not local, user ~ unknown, recipient ~ unknown, account ~ unknown, mailbox ~ unknown, no ~ name directory,
    user not local, validrcptto, not in name directory, lookup ~ not found, address marked invalid,
    user ~ marked invalid, recipient ~ marked invalid, not valid rfc 5321 address, recipient ~ not valid address,
    not route mail user, address syntax, restricted characters, recipient address must contain, mailbox name not allowed,
    domain missing, missing domain, malformed recipient, malformed address, recipient ~ malformed, address ~ malformed,
    address not valid, not valid address, no such alias, no such list, mailbox name ~ not exist, address not ~ here, no valid mailbox
  `),
];

export const DISABLED_MAILBOX = [
  ...each(
    list(`
      user, mailbox, recipient, account, addressee, inbox, @
    `),
    list(`
      disabled, suspended, deactivated, not active, terminated, discontinued, frozen, closed,
      inactive, expired, archived, cancelled, canceled
    `),
  ),
  ...list(`
    address ~ retired, user ~ retired, mailbox ~ retired, account ~ retired, address ~ cancelled, address ~ canceled,
    address ~ closed, address ~ discontinued, address ~ expired, address ~ terminated, archived recipient, address ~ disabled, address ~ deactivated, address ~ inactive, inactive mail address, inactive user,
    inactive account, inactive mailbox, disabled recipient, disabled user, disabled account,
    disabled mailbox, deactivated mailbox, suspended account, account ~ locked, user ~ locked,
    mailbox ~ locked, invalid inactive user, no longer accept mail, no longer accept messages,
    no longer ~ use, extended inactivity, recipient account blocked,
    user account blocked, 已被禁用, 已停用, 已注销
  `),
];

/** It is there, and its owner may be let in again: nothing that lasts for certain. */
export const SUSPENDED_MAILBOX = [
  ...each(
    ['user', 'mailbox', 'recipient', 'account', 'inbox', '@'],
    ['suspended', 'frozen', 'locked', 'on hold', 'hangup'],
  ),
  ...list(`
    domain suspended, domain ~ suspended, domain disabled, domain ~ locked, non payment, unpaid,
    suspended account, suspended user, suspended mailbox, recipient account ~ blocked, user account ~ blocked,
    account blocked, mailbox blocked, user @ blocked, mailbox @ blocked, recipient blocked ~ receiv, 被冻结, 被锁, 已锁定
  `),
];

export const FULL_MAILBOX = list(`
  mailbox full, inbox full, mailbox ~ full, full mailbox, user ~ full, account ~ full, mailfolder full,
  over quota, overquota, over ~ quota, quota exceed, quota ~ exceed, exceed ~ quota, exceed ~ mailbox,
  exceed ~ storage, storage ~ exceed, storage full, out storage, storage limit, disk quota,
  diskspace quota, userdisk quota, domaindisk quota, mail file size exceed, quota violation, mailbox ~ size limit, mailbox ~ limit, mailbox ~ too large, mailbox ~ not enough,
  mailbox ~ no space, quota full, not enough storage space, not have enough space, space ~ used up,
  would exceed ~ storage, too much mail data, too many messages ~ server, quotaexceeded, overquotatemp,
  overquotaperm, quota ~ reached, reached ~ quota, no room, no space left, space exhausted, space ~ exhausted, storage ~ exhausted,
  quota exhausted, storage ~ used up, out of space, not have ~ space, not have ~ room, no ~ storage left, no free space,
  not enough room, not enough space, insufficient space, space exceed, allotment ~ exceed, inbox ~ full, 空间不足, 空間不足
`);

/** By which a block is of the sender's domain or address, and not of where the mail comes from. */
export const SENDERS_DOMAIN = list(`
  your domain, sending domain, sender domain, domain ~ blacklist, domain ~ blocklist, domain ~ list,
  domain ~ block, domain ~ banned, sender ~ block, sender ~ blacklist, sender ~ list, dbl,
  domain reputation, reputation ~ domain, from domain, mailfrom domain, mail from domain,
  sender address, envelope ~ block, domain of ~ sender, address ~ blacklist, blocked sender,
  sender ~ banned, domain ~ reputation, from address, dominio remetente, dominio ~ remitente, dominio ~ mittente,
  domaine expediteur, domaine ~ expediteur, domaine ~ emetteur, absenderdomain, domain ~ absender, домен отправителя, 发件域,
  发件人域名, 送信元ドメイン
`);

/** Who the refusal is about, so that it is not about the message. */
export const NAMED = list(`
  ip, #, client, your host, your server, your network, your mail server, mta, sender, your domain, sending domain,
  from domain, from address, reputation
`);
