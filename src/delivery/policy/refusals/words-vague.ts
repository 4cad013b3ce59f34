/** Words that are vague, and decide only where no code does. */
import { NAMED, SENDERS_DOMAIN } from './phrases.ts';
import { AFTER_MESSAGE, AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

const OUR_ADDRESS = list(`
  ip, #, host, client, server, network, connection, connecting, mta, netblock
`);

const POLICY = list(`
  spam, unsolicited, block, blocked, policy, reputation, not allowed send, access denied, not want, not wanted,
  not authorized, administrative prohibition, administratively, go away, abuse, not welcome, banned, forbidden,
  security, gesperrt, bloque, bloqueado, suspicious, denied, not permitted, prohibited, 拒绝, richtlinie, politique,
  politica, zugriff verweigert, zugang verweigert, acces refuse, acces interdit, acceso denegado, acceso prohibido,
  acesso negado, acesso proibido, accesso negato, accesso vietato, toegang geweigerd, dostep zabroniony, odmowa dostepu,
  pristup odepren, доступ запрещен, отказано в доступе, アクセス ~ 拒否, 접근 ~ 거부, 访问被拒绝, atkomst nekad, adgang nægtet,
  erisim engellendi, erisim reddedildi
`);

/** These say that we are not wanted. "Refused" and "rejected" only say that there was a refusal. */
const DENIED = list(`
  block, banned, denied, not allowed, not authorized, forbidden, not welcome, abuse, administrative prohibition, administratively
`);
/** Refused as a recipient, without a word on whether the mailbox exists. */
const RECIPIENT_DENIED = list(`
  rcptrejected, envelope recipient ~ denied, recipient not allowed receive, recipient preferences,
  recipient settings, delivery ~ recipient ~ not permit, recipient restricted, recipient ~ restricted,
  mailbox ~ restricted, address ~ restricted, recipient not accept, recipient not allowed, recipient not ok,
  mailbox not allowed, address not allowed, delivery ~ address ~ restricted, not accept user,
  not accept recipient, address reject, recipient reject, recipient address reject, recipient refused,
  recipient denied, banned recipient, recipient ~ block, mail @ not accept, messages @ not accept, rcpt reject, rcpt denied, rcpt refused,
  rcpt @ reject, rcpt @ denied, rcpt @ refused, user reject,
  not accept mail recipient, not accept mail ~ recipient, not accept messages ~ recipient, not capable receive mail, not able receive mail, recipient address ambiguous, ambiguous address,
  user ~ not ok, recipient ~ not ok, rcpt ~ not ok, account not allowed, not like recipient, mail not accept address, mail not accept ~ address, not receive mail, not accept mail address, address not accept, mailbox not accept,
  address not accepting, mail address not accept, mail address refused, no mail address, mailbox not receive,
  recipient not receive, user not receive, account not receive, address not receive,
  badrecipientto, delivery not allowed, user not allowed receive, mailbox not allowed receive, account not allowed receive,
  address not allowed receive, recipient @ denied, recipient @ reject, recipient @ refused, recipient @ not allowed, recipient not authorized, mailbox ~ refused, mailbox reject,
  recipient access denied, mailbox access denied, account access denied, user access denied, user not allowed,
  recipient blocked from receiving, mailbox blocked from receiving
`);
const PUT_OFF_BY_POLICY = ['policy', 'security'];

export const VAGUE_WORDS: readonly Entry[] = [
  {
    id: 'policy-against-message',
    phases: ['body', 'dot'],
    permanent: true,
    words: list(`
      message ~ local policy, message ~ policy reasons, local policy violation, content policy,
      message ~ violat ~ policy, mail ~ violat ~ policy, message reject ~ policy, message refused ~ policy,
      message block ~ policy, policy violation detected, mail reject ~ policy, mail not accept ~ policy,
      security policies, denied policy, reject ~ policy reasons, organizational settings, message ~ against ~ policy,
      content examination
    `),
    unless: list(`
      ip, #, client host, your host, your server, sender, your domain, sending domain, reputation, block list,
      blacklist, destination domain, dmarc, spf, dkim
    `),
    means: 'content_refused',
  },
  {
    id: 'mailbox-unavailable',
    phases: AFTER_RCPT,
    words: list(`
      mailbox unavailable, mailbox ~ unavailable, mailbox busy, mailbox ~ busy, mailbox ~ in use, mailbox locked,
      mailbox ~ offline, user ~ unavailable, recipient ~ unavailable, mailbox not available, account ~ unavailable,
      mailbox ~ not accepting, user ~ not accepting, recipient ~ not accepting, account ~ not accepting,
      @ ~ not accepting, recipient ~ try again, mailbox ~ temporarily, unavailable mailbox, unavailable user,
      unavailable recipient, unavailable mail user, user not available, recipient not available, account not available,
      user offline, recipient offline, account offline, user busy, recipient busy, account busy, mailbox not accessible,
      user ~ not accessible, recipient ~ not accessible, account ~ not accessible, address unavailable,
      not accepting mail @, not accepting messages @, unavailable take delivery, mailbox not accessed, mailbox ~ not accessed, boite ~ non disponible, boite ~ pas disponible, bal ~ unavailable,
      address temporarily unavailable, address not available, @ unavailable, @ temporarily unavailable,
      postfach ~ nicht verfugbar, postfach ~ nicht erreichbar, boite ~ unavailable, buzon ~ no disponible,
      caixa ~ unavailable, casella ~ non disponibile, postvak ~ niet beschikbaar, skrzynka ~ niedostepna,
      schranka ~ nedostupna, ящик ~ недоступен
    `),
    unless: ['policy', 'reject due', 'reputation'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'limits',
    words: ['limit exceeded', 'exceed ~ limit', 'limit reached', 'thread limit', 'reached ~ limit'],
    unless: list(`
      size, header, headers, recipient, mailbox, user, account, hop, hops, line, time
    `),
    means: 'rate_limited',
  },
  {
    id: 'messages-from-address',
    phases: ['mail'],
    permanent: true,
    words: ['messages from #', 'mail from #', 'messages from your', 'from your ip'],
    means: 'blocked',
  },
  {
    id: 'later',
    permanent: true,
    words: list(`
      try again later, try later, retry later, temporarily, please try again, essayer plus tard, 稍后
    `),
    unless: list(`
      block, reject, policy, spam, denied, not retry
    `),
    means: 'temporary_refusal',
  },
  {
    id: 'suspicion-for-now',
    permanent: false,
    words: ['suspicious', 'suspicion', 'suspect'],
    unless: ['content', 'link', 'links', 'url', 'attachment', 'spam', 'virus', 'unsolicited', 'bulk'],
    means: 'policy_deferral',
  },
  {
    id: 'content-vague',
    phases: AFTER_MESSAGE,
    words: list(`
      url, link, links, spam, unsolicited, junk, ube, uce, bulk, suspicious, message filtered, filtered,
      message reject ~ filter, unwanted, content, headers, intent, found ~ body, scam, fraud, advertis, advertising,
      score, scored, threat, bulkmail, reject dcc
    `),
    unless: OUR_ADDRESS,
    means: 'content_refused',
  },
  {
    id: 'policy-of-domain',
    permanent: true,
    words: list(`
      block, policy, reputation, not authorized, denied, refused, reject, not accept, bloque, bloquee, rejete, bloqueado,
      rechazado, rejeitado, bloccato, rifiutato, gesperrt, blockiert, abgelehnt, geblokkeerd, geweigerd, zablokowana,
      заблокирован
    `),
    also: SENDERS_DOMAIN,
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'blocked-message-for-now',
    phases: ['body', 'dot'],
    permanent: false,
    words: DENIED,
    unless: [...NAMED, ...PUT_OFF_BY_POLICY],
    means: 'content_refused',
  },
  {
    id: 'told-to-go-away',
    phases: [...GREETING, 'mail', 'rcpt'],
    permanent: false,
    words: ['go away', 'not welcome'],
    means: 'blocked',
  },
  {
    id: 'recipient-denied-for-now',
    phases: AFTER_RCPT,
    permanent: false,
    // Postfix puts "Recipient address rejected:" in front of any deferral.
    words: [...RECIPIENT_DENIED.filter((one) => one !== 'rcptrejected'), 'rcptrejected . access denied'],
    unless: [...NAMED, 'policy'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'blocked-for-now',
    permanent: false,
    words: DENIED,
    unless: PUT_OFF_BY_POLICY,
    means: 'blocked',
  },
  {
    id: 'nobody-left',
    phases: AFTER_RCPT,
    permanent: true,
    words: ['no valid recipient'],
    means: 'unknown_recipient',
  },
  {
    id: 'recipient-denied',
    phases: AFTER_RCPT,
    permanent: true,
    words: RECIPIENT_DENIED,
    unless: list(`
      sender, #, client host, your ip, your host, your server, your domain, blocked you, policy reject, spam,
      blacklist, blocklist, policy
    `),
    means: 'mailbox_unavailable',
  },
  {
    id: 'nothing-there',
    phases: ['rcpt'],
    words: list(`
      not exist, not found, nonexistent, no longer exist, no longer valid, no longer available, not known here, sconosciuto, desconocido,
      desconhecido, inconnu, unbekannt, onbekend, nieznany, neznamy, okand, ukjent, ukendt, tuntematon, ismeretlen,
      no hay nadie, nessuno ~ nome, niemand ~ namen
    `),
    unless: list(`
      sender, domain, host, ip, #, command, server, ptr, dns, route, your, policy, file, method, relay, mx, record,
      database
    `),
    means: 'unknown_recipient',
  },
  {
    id: 'suspended-alone',
    phases: ['rcpt'],
    words: ['suspended', 'locked', 'frozen'],
    unless: ['sender', 'your', 'ip', '#', 'relay', 'host', 'server', 'connection', 'block'],
    means: 'mailbox_disabled',
    keep: true,
  },
  {
    id: 'disabled-alone',
    phases: ['rcpt'],
    words: ['disabled', 'deactivated', 'inactive', 'discontinued'],
    unless: list('sender, your, ip, #, relay, host, server, connection, domain, command, temporarily'),
    means: 'mailbox_disabled',
  },
  {
    id: 'policy-for-now',
    permanent: false,
    words: ['policy', 'suspicious', 'security'],
    unless: ['policy server', 'policy service', 'policy daemon', 'policy check fail'],
    means: 'policy_deferral',
  },
  {
    id: 'policy-after-message',
    phases: ['body', 'dot'],
    permanent: true,
    words: POLICY,
    unless: NAMED,
    means: 'content_refused',
  },
  {
    id: 'policy',
    permanent: true,
    words: POLICY,
    means: 'blocked',
  },
];

/** Lines that read a block from codes and words that fit any policy: nothing shows that it is of our address as a whole. */
export const UNEXPLAINED_BLOCKS: ReadonlySet<string> = new Set(['policy', 'policy-5xx', 'mail-policy']);
