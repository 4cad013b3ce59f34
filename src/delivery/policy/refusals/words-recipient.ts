/** Words about the mailbox and its domain. */
import {
  DISABLED_MAILBOX,
  each,
  FULL_MAILBOX,
  SENDER,
  SUSPENDED_MAILBOX,
  UNKNOWN_MAILBOX,
  UNUSED_MAILBOX,
} from './phrases.ts';
import {
  DISABLED_MAILBOX_FOREIGN,
  FULL_MAILBOX_FOREIGN,
  SUSPENDED_MAILBOX_FOREIGN,
  UNKNOWN_MAILBOX_FOREIGN,
} from './phrases-foreign.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

const ABOUT_SENDERS = list(`
  sender, mail from, from domain, from address, helo, ehlo, client
`);

/** Whatever does not exist or is closed here is ours, not the recipient's. */
const OURS = list(`
  your account, your server, your mail server, your mailserver, your host, your domain, your ip, authentication fail,
  disabled ~ sending, message sending, mail sending
`);

const GONE = list(`
  unknown, invalid, not exist, not found, not valid, deleted, removed, nonexistent, non existent, no such user,
  unbekannt, inconnu, inconnue, desconocido, desconhecido, inexistente, sconosciuto, inesistente, onbekend, nieznany,
  nie istnieje, neznamy, neexistuje, не найден, не существует, неизвестен, no existe, nao existe, non esiste,
  n existe pas, introuvable
`);
const OFF = list(`
  disabled, inactive, not active, deactivated, suspended, closed, expired, locked, blocked, terminated, deaktiviert,
  gesperrt, desactive, desactivee, bloque, deshabilitado, desactivado, desativada, disattivata, disabilitata
`);
const FULL = list(`
  full, over quota, exceed quota, quota exceed, voll, plein, pleine, saturee, lleno, llena, cheio, cheia, pieno, piena, pelna,
  przepelniona, plna, preplnena, переполнен
`);
/** On one side of an "or". */
const eitherOf = (states: readonly string[]): readonly string[] =>
  ['or', 'oder', 'ou', 'o', 'lub', 'nebo', 'или'].flatMap((or) =>
    states.flatMap((state) => [`${state} ${or}`, `${or} ~ ${state}`]),
  );
const STORE = list('mailbox, account, user, recipient, inbox, post office, message store, mail store');
const DISABLED = [...DISABLED_MAILBOX, ...DISABLED_MAILBOX_FOREIGN];
const SUSPENDED = [...SUSPENDED_MAILBOX, ...SUSPENDED_MAILBOX_FOREIGN];

/**
 * Postfix asked the server of the recipient and was refused. The quoted words may name another cause than a mailbox that
 * does not exist (full, our address listed), so that this comes after all words.
 */
export const PROBE_REFUSED: Entry = {
  id: 'recipient-probe-refused',
  phases: AFTER_RCPT,
  permanent: true,
  words: ['rcptrejected . unverified address', 'rcptrejected . undeliverable address'],
  unless: ['timed out', 'connection refused', 'lookup', 'progress', 'pending', 'loops back'],
  means: 'unknown_recipient',
};

export const ABOUT_RECIPIENT: readonly Entry[] = [
  {
    // RFC 7293: what this code is there for is said in words that fit an address nobody has.
    id: 'owner-changed-in-words',
    phases: AFTER_RCPT,
    enhanced: ['x.7.17', 'x.7.18'],
    words: ['no longer valid', 'owner', 'ownership', 'not valid since', 'changed hands', 'reassigned'],
    means: 'mailbox_owner_changed',
  },
  {
    id: 'host-takes-none',
    phases: AFTER_RCPT,
    permanent: true,
    words: ['host not accept mail', 'server not accept mail', 'no smtp service'],
    unless: ['from', 'temporarily', 'mx'],
    means: 'host_accepts_no_mail',
  },
  {
    id: 'null-mx',
    phases: AFTER_RCPT,
    words: list(`
      null mx, nullmx, mx ~ no smtp service, domain not accept mail, domain ~ accept no mail,
      domain ~ not accept mail, domain not used ~ mail
    `),
    unless: [...ABOUT_SENDERS, 'accept mail from'],
    means: 'domain_accepts_no_mail',
  },
  {
    id: 'mailbox-unknown-or-disabled',
    phases: AFTER_RCPT,
    words: eitherOf(GONE),
    also: eitherOf([...OFF, ...FULL]),
    unless: ['sender', 'attachment', 'larger'],
    means: 'unknown_recipient',
  },
  {
    id: 'mailbox-full',
    phases: AFTER_RCPT,
    words: [...FULL_MAILBOX, ...FULL_MAILBOX_FOREIGN],
    unless: list(`
      server storage, sending quota, sender ~ quota, message too large, message too big, message size, mail system full, mail system ~ full, system storage, device,
      no space left device, no space left ~ device, spool, queue quota, organization queue
    `),
    means: 'mailbox_full',
  },
  {
    id: 'mailbox-moving',
    phases: AFTER_RCPT,
    permanent: false,
    words: each(STORE, [
      'moving',
      'in transit',
      'moved ~ try again',
      'moved ~ retry',
      'moved ~ later',
      'moved temporarily',
      'temporarily moved',
    ]),
    means: 'mailbox_unavailable',
  },
  {
    id: 'mailbox-under-work',
    phases: AFTER_RCPT,
    words: each(
      STORE,
      list(
        'maintenance, migration, migrated, migrating, restored, rebuilt, repaired, reindexed, upgraded, upgrading',
      ),
    ),
    means: 'mailbox_unavailable',
  },
  {
    id: 'mailbox-moved',
    phases: AFTER_RCPT,
    words: list(`
      moved, relocated, has new address, new mail address, different address now, umgezogen, verzogen, neue adresse, neuer adresse,
      nouvelle adresse,
      nueva direccion, novo endereco, nuovo indirizzo, nieuw adres, nowy adres, новый адрес, переехал,
      forwarding address, now reach, write instead, replaced ~ @, new address,
      changed ~ address, address ~ changed, mail changed, please try @, try @, user not local ~ forward
    `),
    unless: ['user unknown', 'try again'],
    means: 'mailbox_moved',
  },
  {
    id: 'mailbox-store',
    phases: AFTER_RCPT,
    words: list(`
      mailbox database, mailbox store, not open mailbox, not access mailbox, mailbox ~ offline, not chdir, not stat mailbox, not stat maildir,
      not open maildir, homedir creation, mailbox write error, not write ~ mailbox,
      problem opening mailbox, error opening mailbox, fail ~ open mailbox
    `),
    unless: list(`
      full, quota, busy, mapiexceptionshutoffquotaexceeded, accountdisabledexception, accountdisabled
    `),
    means: 'mailbox_unavailable',
  },
  {
    id: 'mailbox-in-use',
    phases: AFTER_RCPT,
    words: list(`
      mailbox ~ locked ~ process, mailbox ~ locked ~ session, mailbox ~ locked another, mailbox in use,
      mailbox ~ busy, box busy, lock timeout, lock ~ timed out, not acquire ~ lock, not lock, lock fail, hold ~ lock, lock ~ held, locked ~ another, used by another
    `),
    unless: ['mailbox server', 'server busy', 'too busy'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'mailbox-disabled-for-now',
    phases: AFTER_RCPT,
    words: ['temporarily', 'temporary', 'moment', 'right now', '暂时', '暫時', '一時'],
    also: [...DISABLED, ...SUSPENDED],
    unless: ['ip', 'client host'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'recipient-domain-not-looked-up',
    phases: AFTER_RCPT,
    permanent: false,
    words: [
      'not check mx',
      'not check dns',
      'name service error',
      'host not found try again',
      'domain not found try again',
    ],
    unless: ABOUT_SENDERS,
    means: 'routing_trouble',
  },
  {
    id: 'recipient-domain',
    phases: AFTER_RCPT,
    words: [
      ...list(`
        domain nonexistent, bad recipient host, bad recipient domain, invalid recipient host, invalid host domain, not find host, domain & nonexistent, domain ~ not have ~ mx, domain not valid, domain recipient ~ unknown,
        domain recipient ~ invalid, domain recipient ~ not found, domain recipient ~ not exist, domain name unknown,
        domain name invalid, domain name not valid, host not exist, host invalid, host not valid, recipient domain unknown,
        invalid recipient domain, invalid ~ recipient domain, dns mx ~ recipient domain, unknown recipient domain, bad destination system, bad destination domain,
        not resolve domain, not resolve recipient domain, host not resolve, host ~ no longer exist, host not dns,
        domain & not found, domain & unknown, domain & not valid, domain & invalid, & not found dns, & not exist,
        domain not found, domain not exist, domain ~ not exist, unknown domain, domain unknown, host unknown,
        host not found, unknown host, no such domain, no such host, domain must exist, invalid domain, domain invalid,
        domain ~ not resolve, nxdomain, name or service not known, no mx, domain ~ no mx, invalid mx, all relevant mx,
        mx ~ non existent, mx ~ nonexistent, domain & not registered, domain name not found, dns record ~ not found,
        no dns record, no dns ~ data, not find ~ mx ~ domain, valid mx ~ domain, domain ~ no longer exist, mail domain ~ unknown,
        dead domain, not find ~ recipient domain, not able find ~ domain, not find domain, no valid mx,
        mx ~ not exist, no ip address found, no host found, nonexistent domain, non existent domain,
        nonexistentdomain, host lookups failed permanently, lookups fail permanently, reserved rfc 2606,
        single label domains, domaine inconnu, domain unbekannt, dominio desconocido, dominio inexistente,
        domaine ~ n existe, 域名不存在, домен ~ не существует
      `),
    ],
    unless: [
      ...ABOUT_SENDERS,
      ...OURS,
      'from header',
      '#',
      'user unknown',
      'mailbox not found',
      'account or domain',
      'user or domain',
      'domain or user',
      'domain or mailbox',
      'invalid domain see',
      'invalid ~ user',
    ],
    means: 'recipient_domain_invalid',
  },
  {
    id: 'mailbox-suspended',
    phases: AFTER_RCPT,
    words: SUSPENDED,
    unless: [...UNUSED_MAILBOX, ...list('sender ~ suspended, sender account, your account, your ip')],
    means: 'mailbox_disabled',
    keep: true,
  },
  {
    id: 'mailbox-disabled',
    phases: AFTER_RCPT,
    words: DISABLED,
    unless: [
      ...OURS,
      ...list(`
        sender ~ suspended, sender account, domain not used, not ~ disabled, your account, message expired, not exist, no longer exist,
        delivery expired, connection closed, message ~ deleted, invalid user, invalid ~ user, utilisateur inconnu
      `),
    ],
    means: 'mailbox_disabled',
  },
  {
    id: 'recipient-refused-as-unknown',
    phases: AFTER_RCPT,
    enhanced: ['5.1.1'],
    words: ['rcptrejected . access denied', 'recipient address reject access denied'],
    means: 'unknown_recipient',
  },
  {
    id: 'recipient-refused',
    phases: AFTER_RCPT,
    permanent: true,
    words: ['rcptrejected . access denied', 'recipient address reject access denied'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'mailbox-not-verified',
    phases: AFTER_RCPT,
    permanent: true,
    words: [
      'recipient verification',
      'recipient not verified',
      'recipient not verify',
      'recipient address not verified',
      'not verify recipient',
      'recipient not confirmed',
      'not confirm recipient',
      'not validate recipient',
      'recipient not validated',
      'recipient validation fail',
      'recipient verify fail',
      'recipient callout',
      'callout verification fail',
      'callout verification failure',
      ...each(
        list('user, mailbox, account, recipient, @'),
        list('verification fail, fail verification, not verified'),
      ),
    ],
    unless: ['sender'],
    means: 'unknown_recipient',
  },
  {
    id: 'mailbox-unknown',
    phases: AFTER_RCPT,
    words: UNKNOWN_MAILBOX,
    unless: [
      ...OURS,
      ...list(`
        blocked as spam, sender, helo, ip address, unknown user ~ agent, url, user ~ report, report ~ spam,
        internal error, unavailable or not local, ldap timeout, from address, ip invalid, character set, invalidcontent, mailbox status, allow list, allowed list, whitelist, access list
      `),
    ],
    means: 'unknown_recipient',
  },
  {
    // Nothing else that is said along with these is the cause.
    id: 'mailbox-unknown-in-so-many-words',
    phases: AFTER_RCPT,
    words: list(
      'user unknown, unknown user, no such user, mailbox not found, user not found, recipient unknown',
    ),
    unless: ['sender', 'helo', 'agent', 'your account', 'authentication fail', 'spam', 'ldap timeout'],
    means: 'unknown_recipient',
  },
  {
    id: 'mailbox-unknown-abroad',
    phases: AFTER_RCPT,
    words: UNKNOWN_MAILBOX_FOREIGN,
    unless: SENDER,
    means: 'unknown_recipient',
  },
];
