/** Words about block lists and reputation. */
import { each, NOT_THERE, SENDERS_DOMAIN } from './phrases.ts';
import { AFTER_MESSAGE, AFTER_RCPT, BEFORE_MESSAGE, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

const BLOCKLISTS = list(`
  blacklist, black list, blocklist, block list, denylist, deny list, dnsbl, rbl, rbls, invaluement, ivmsip, abusix,
  mailspike, senderscore, hostkarma, nixspam, backscatterer, psbl, drbl, abuseat, cbl, spfbl, lashback, blackhole list,
  # ~ list &, ip ~ list &, rhsbl, spamhaus, spamcop,
  barracudacentral, barracuda reputation, sorbs, uceprotect, sbl, xbl, pbl, dbl, dnswl, zen, liste noire,
  schwarze liste, lista negra, lista nera, черныи список, черном списке, 黑名单, 黑名單, sperrliste, blacklistu,
  blackliscie, blackliste, zwarte lijst,
  czarna lista, czarnej liscie, czarna liste, cerna listina, cerne listine, kara liste, kara listede, ブラックリスト, 블랙리스트,
  feketelista, svart lista, svarta listan, sortliste, lista neagra, backscatter, address ~ list &, sender in ~ list &, sender on ~ list &
`);
const BLOCKLIST_LINKS = list(`
  spamhaus, spamcop, barracudacentral, backscatterer, dnsbl, sorbs.net, uceprotect, abuseat.org, mailspike, senderscore, rbl., /rbl,
  blocklist, blacklist, sender.office.com, delist, talosintelligence, invaluement, csi.cloudmark
`);
const CLOUDS = list(`
  amazon, aws, azure, digitalocean, ovh, hetzner, linode, vps, datacenter, data center, cloud provider, cloud hosting,
  from hosting
`);
const IN_MESSAGE = list(`
  surbl, uribl, url, urls, uri, link, links, phrase, subject, keyword, body, content, contents, attachment, file, extension, filename
`);

/** A filter keeps the message until somebody has looked at it, and never tells the sender what became of it. */
const HELD_MESSAGE = each(
  ['message', 'mail', 'attachment'],
  list(
    `held, on hold, quarantined, quarantine, held ~ review, kept ~ review, kept ~ evaluation, kept ~ inspection,
    zuruckgehalten, en quarantaine, en cuarentena`,
  ),
);

export const BLOCKS: readonly Entry[] = [
  {
    id: 'message-held',
    phases: AFTER_RCPT,
    permanent: true,
    words: [...HELD_MESSAGE, 'recipient ~ quarantined'],
    unless: ['ip', '#', 'reputation', 'sender', 'mailbox', 'account', 'unpaid', 'payment'],
    means: 'content_refused',
  },
  {
    id: 'message-held-for-now',
    permanent: false,
    words: [
      ...HELD_MESSAGE,
      'awaiting ~ scan',
      'deferred ~ scan',
      'delayed ~ scan',
      'deep scan',
      'pending ~ scan',
      'scan pending',
      'sandbox analysis',
    ],
    unless: ['reputation', 'mailbox', 'account', 'scanner', 'greylist'],
    means: 'policy_deferral',
  },
  {
    id: 'headers-of-message',
    phases: AFTER_MESSAGE,
    words: ['multiple from', 'multiple addresses from', 'more than one from', 'several from addresses'],
    means: 'content_refused',
  },
  {
    id: 'malware-in-message',
    phases: AFTER_MESSAGE,
    words: list(`
      virus found, virus detected, contains virus, containing virus, message infected, contains malware,
      malware detected, trojan
    `),
    means: 'content_refused',
  },
  {
    id: 'reputation-in-message',
    phases: AFTER_MESSAGE,
    words: [
      ...each(['reputation'], ['link', 'url', 'attachment', 'file']),
      ...each(['link', 'url', 'attachment', 'file'], ['reputation']),
    ],
    unless: ['ip', '#', 'sender', 'your domain', 'sending domain'],
    means: 'content_refused',
  },
  {
    id: 'blocklist-in-message',
    phases: AFTER_MESSAGE,
    words: [...BLOCKLISTS, 'listed', 'surbl', 'uribl'],
    also: IN_MESSAGE,
    unless: ['ip ~ list', 'sender ip', 'ip address', '# ~ list', 'client host'],
    means: 'content_refused',
  },
  {
    id: 'spam-in-message',
    phases: AFTER_MESSAGE,
    words: list(`
      message detected spam, message ~ detected ~ spam, message considered spam, message classified spam,
      mail considered spam, mail classified spam, spam or virus, spam oder virus, spamverdacht, spam verdacht,
      spam ~ eingestuft
    `),
    unless: [...BLOCKLISTS, 'reputation'],
    means: 'content_refused',
  },
  {
    id: 'spam-in-quoted-words',
    phases: AFTER_MESSAGE,
    words: ['phishing', 'spam'],
    also: ['subject', 'contains phrase', 'containing phrase'],
    unless: ['reputation', 'your ip'],
    means: 'content_refused',
  },
  {
    id: 'policy-by-domain',
    phases: ['mail', ...AFTER_RCPT],
    words: each(
      list('policy, policies, reject, refused, denied, block, restriction'),
      list('domain based, sender based, based domain, based sender'),
    ),
    unless: list(
      'based message authentication, ip based, recipient domain, destination domain, based content',
    ),
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'sender-denied-as-spammer',
    phases: ['mail', 'rcpt'],
    words: list(`
      your sender denied, your sender reject, your sender refused, your sender block, sender address reject,
      sender address denied, sender address refused, sender address block, sender denied, sender reject, sender refused
    `),
    also: ['spammer', 'spam', 'abuse'],
    unless: [...BLOCKLISTS, 'ip', '#', 'host', 'server', 'domain', 'reputation'],
    means: 'sender_refused',
  },
  {
    // Nothing but our IP address is known to the server yet.
    id: 'our-address-on-their-list',
    phases: GREETING,
    words: [
      ...each(['your address', 'this address', 'address'], [...BLOCKLISTS, 'block', 'banned', 'listed']),
      ...each(list('your host, your server, your ip, host, you'), ['our list', 'my list', 'our local list']),
      ...list('not ~ approved list, not ~ allow list, not ~ allowed list, not ~ whitelist'),
    ],
    means: 'blocked',
  },
  {
    id: 'sender-on-their-list',
    words: [
      ...each(['sender', 'your mail address', 'your address', 'from address', 'return path'], BLOCKLISTS),
      ...each(['your mail address', 'your address', 'from address', 'return path'], ['block', 'banned']),
      ...list(`
        sender ~ banned, sender banned, sender address block, sender address is block, sender ~ in my,
        blacklisted sender, address ~ blacklist, sender ~ block, blocked sender, blocked senders,
        sending address ~ block, sender ~ suppression list
      `),
    ],
    unless: list(`
      ip, #, host, domain, dbl, spamhaus, dnsbl, rbl, using, reputation, your server, your mta, list &, block &
    `),
    means: 'sender_refused',
  },
  {
    // The address stands right before the word, whatever else is named in front.
    id: 'sender-address-on-their-list',
    words: list('blacklist, black list, blocklist, denylist').map((on) => `sender @ ${on}`),
    means: 'sender_refused',
  },
  {
    id: 'address-on-their-list',
    phases: ['mail'],
    words: BLOCKLISTS,
    also: ['@'],
    unless: list(`
      ip, #, client host, your host, your server, your mta, using, dbl, spamhaus, dnsbl, rbl, rhsbl
    `),
    means: 'sender_refused',
  },
  {
    id: 'young-domain',
    words: list(`
      domain ~ sender not welcome, domain sender ~ too new, domain sender listed, domain sender ~ listed,
      sender s domain listed, sender s domain & listed, domain sender denied ~ policy, sender domain denied ~ policy,
      sender s domain denied ~ policy, your domain denied ~ policy, from domain denied ~ policy, sender s domain ~ too new,
      sender s domain ~ not welcome,
      domain too young, domain too new, domain ~ register ~ recently, domain ~ recently register, newly register,
      reject all mail from, all mail from ~ domains, top level domain, your tld, tld ~ block, register less than,
      domain ~ register ~ days, domain ~ register ~ yesterday, domain ~ register ~ today, domain ~ register ~ ago,
      domain ~ register only, domain ~ days old, domain ~ hours old, domain ~ weeks old, domain ~ months old,
      domain ~ young, domain ~ old enough, no access ~ domain, denied domain, domain denied access,
      access denied ~ your domain,
      domain not welcome, domain forbidden, demo domain, from domain not allowed, from domain & not allowed, domain ~ recently created, domain ~ created ~ days, domain age, new domain
    `),
    unless: ['ip', '#', 'host'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'domain-refused-by-name',
    phases: ['mail', ...AFTER_RCPT],
    permanent: true,
    words: [
      ...each(
        list(
          'from domain, your domain, sending domain, sender domain, sender s domain, mail from &, messages from &',
        ),
        list(`
          not accept, not allowed, not permitted, not authorized, refused, reject, denied, block, banned, forbidden,
          not welcome, not wanted
        `),
      ),
      ...each(
        ['not accept', 'refuse', 'reject', 'not want'],
        ['mail from your domain', 'mail from domain', 'messages from your domain', 'messages from domain'],
      ),
    ],
    unless: [
      ...NOT_THERE,
      ...list(`
        ip, #, host, mx, dns, relay, limit, rate, quota, too many, verify, syntax, recipient, spf, dkim, dmarc, subscription,
        resolve, address reject, mailbox, user,
        domain not accept mail, domain not accept messages, domain not accept bounces
      `),
    ],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'blocklist-domain',
    words: [
      ...BLOCKLISTS,
      'reputation',
      'banned',
      'domain ~ block',
      'sender ~ block',
      'blocked sender',
      'domain list',
      'suppression list',
    ],
    also: SENDERS_DOMAIN,
    unless: list(`
      may blacklist, may blacklisted, ip domain reputation, helo, ehlo, ip ~ blacklist, ip address, ip sender, sender ip, sending ip, client host, ip ~ list, your ip,
      # ~ list, # ~ block, # ~ banned, # ~ blacklist, sender #, sender in black list &, sender in blacklist &, sender on ~ blacklist &
    `),
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    // At MAIL a name that is on a list of domains is the sender's.
    id: 'blocklist-of-domains-at-mail',
    phases: ['mail'],
    words: ['& blacklist', '& listed', '& block', '& ~ list', '& denylist', '& blocklist'],
    unless: ['ip', '#', 'host', 'server', 'client', 'helo', 'ehlo', 'ptr'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'domain-of-a-spammer',
    phases: ['mail', 'rcpt'],
    words: list(`
      & ~ sending ~ spam, & ~ sends ~ spam, & ~ source of spam, not like &, not accept mail from &
    `),
    unless: ['ip', '#', 'your host', 'your server', 'client host', 'network', 'list', 'helo', 'ehlo'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'blocklist',
    words: [
      ...BLOCKLISTS,
      'reputation',
      'karma',
      // Names that may not be given in HELO.
      'badhelo',
      ...list(`
        sender score, trust score, ip our list, ip ~ local list, # ~ local list, # our list, sender intelligence, bad ip profile, ip profile, bad ip, bad sender ip, ip address list, ip list, # list,
        open relay check, openrelay check, ip check error, ip check fail, unwanted messages, list ~ abusive, mail from you not accept, not accept mail from you, no access ip, no access your,
        no access #, no access client, no access host, ip ~ no access, # ~ no access, your host listed, your server listed,
        your mail server listed, your network listed, host listed, no access from, not accepting mail from, not accepting connections from,
        not accepting ~ from your, not accepting ~ from #, not accepting ~ from you, not available from your,
        unavailable from your, not available ~ your ip, due client ip, due ~ client ip, access ip ~ block, use ~ smtp server ~ isp, access ~ submit ~ reject,
        access ~ mail system ~ reject, black ip
      `),
      'banned sending',
      'banned ip',
      'ip ~ banned',
      '# ~ banned',
      'host ~ banned',
    ],
    means: 'blocked',
  },
  {
    id: 'blocklist-domain-link',
    links: list(`
      dbl., /dbl, query/domain, rhsbl, multi.surbl, uribl
    `),
    unless: list(`
      body, url, link, content, ip, #, client host, helo, ehlo
    `),
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'blocklist-link',
    links: BLOCKLIST_LINKS,
    unless: ['user unknown', 'no such user', 'mailbox full'],
    means: 'blocked',
  },
  {
    id: 'blocked-address',
    words: [
      ...each(
        list(`
          ip, #, client host, your host, your server, your network, your mail server, your mta, your provider,
          your isp, sending host, sending server, connecting host, remote host, peer
        `),
        list(`
          block, banned, bannato, barred, not trusted, distrusted, abusive, gebannt, not allowed, not welcome, reject,
          denied, refused, not accept, forbidden, bloque, gesperrt, bloqueada, bloccato, заблокирован, filtered, screened,
          not authorized, known ~ spam, hangup, restricted, untrusted, unwelcome, firewall, locked out, blackhole, sent spam, sends spam, sending spam
        `),
      ),
      ...each(CLOUDS, ['block', 'reject', 'not accept', 'not allowed', 'denied', 'banned']),
      ...each(['block', 'reject', 'not accept', 'refuse'], CLOUDS),
      ...each(
        list(`
          block, reject, refuse, denied, not accept, not authorized
        `),
        list(`
          your ip, from #, ip #, your host, your server, your network, your mail server, from ip
        `),
      ),
      ...list(`
        connections ~ not accepted ~ from, connections ~ not allowed, connection rejected, connection denied,
        not accept connections from, not accept mail from #, not accept mail from your, not accept mail from dynamic,
        dynamic ip, dynamic host, dynamic range, host dynamic, server dynamic, ip address dynamic, ip dynamic, # dynamic, dynamic address, intrusion prevention, dynamically assigned, smarthost,
        smart host, not allowed connect, dial up, dialup, residential, open proxy, compromised host,
        may not be mail exchanger, host network not allowed, from your country, your country, from ~ country, your server requires, confirm ~ mail server, geographical location,
        geoip, from hosting provider, from hosting providers, hosting provider ~ block, your asn, asn block,
        track record, history of spam, history of abuse, spam trap, spam traps, spamtrap, known spam source,
        known spammer, mass mailing host, hosting company, hosting range, consumer range, home connection, home user,
        broadband, cable modem, invalid ip, ip invalid, intrusion, realtime blackhole, real time blackhole,
        your location, your region, location not, adresse ip ~ bloquee, ip ~ gesperrt, заблокирован ~ ip, access forbidden,
        ip not in whitelist
      `),
    ],
    unless: ['temporarily ~ unavailable', 'too busy', 'server busy', 'going down', 'missing ~ header'],
    means: 'blocked',
  },
  {
    id: 'source-of-spam',
    words: ['spam source', 'source of spam', 'spammer', 'spamming host', 'sending spam'],
    unless: ['sender', 'spam score', 'your message', 'boundary', 'header', 'body'],
    means: 'blocked',
  },
  {
    // The reply names the sender as the source. An address beside the word alone does not.
    id: 'spam-from-address',
    phases: ['mail', 'rcpt'],
    permanent: true,
    words: ['spam from @'],
    unless: ['ip', '#', 'host', 'server'],
    means: 'sender_refused',
  },
  {
    id: 'blocked-as-spammer',
    phases: BEFORE_MESSAGE,
    words: list(`
      blocked ~ spam, reject ~ spam, spam source, spammer, spamming, block ~ abuse, sending spam, spam ~ block
    `),
    unless: ['account block ~ abuse', 'mailbox block ~ abuse', 'user block ~ abuse'],
    means: 'blocked',
  },
];

/** Words about mail that the recipient refuses, and about recipients that accept no mail. */
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
      not wanted recipient, not wanted user, recipient ~ block ~ your address, user ~ block ~ your address, user ~ blocked you, recipient ~ blocked you, user ~ blocked your, recipient ~ blocked your, user blocked ~ from,
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
      ip, #, your host, your server, recipient server, blocked from receiving, found ~ list, quota, relay, recipient setting,
      recipient preferences
    `),
    means: 'sender_refused',
  },
  {
    id: 'recipient-on-their-list',
    phases: AFTER_RCPT,
    words: list(`
      recipient @ blacklist, recipient @ black list, recipient @ block list, recipient @ blocklist,
      recipient address blacklist, recipient address black list, rcpt @ blacklist, rcpt @ black list,
      user @ blacklist, recipient in ~ blacklist, recipient blacklist, recipient black list
    `),
    unless: ['sender', 'ip', 'your', 'client', 'blacklist recipient', 'host blacklist', 'domain'],
    means: 'mailbox_unavailable',
  },
];
