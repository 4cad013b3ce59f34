/** Words about our identity: first contact, relaying, our host name, reverse DNS. */
import { each, SENDER } from './phrases.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

export const IDENTITY: readonly Entry[] = [
  {
    id: 'greylisting',
    words: list(`
      greylist, graylist, grey list, gray list, greylisting, postgrey, liste grise, greylisted,
      not yet authorized deliver, you too early, too early ~ come back, too early ~ try, come back later ~ first,
      first time sender, first time ~ see, first time ~ retry, first time ~ try, first contact, triplet,
      not seen ~ before, not sent mail ~ before, never sent ~ before, never seen ~ before, never seen ~ sender, unknown sender ~ wait, first delivery, first message,
      first mail, greylistedgreylisted, first connection, new here, new us, not met before, not know you yet, not know your server, not know your host, do not know you, never talked,
      initial delivery attempt, first delivery attempt, first attempt, graulist, graulisting, grey, 灰名单, 灰名單,
      серый список, listagem cinza, lista gris, lista grigia
    `),
    means: 'greylisted',
  },
  {
    id: 'greylisting-explained',
    permanent: false,
    phases: ['mail', ...AFTER_RCPT],
    words: list(
      'unknown sender, sender unknown, you unknown, new sender, newcomer, stranger, not know you, not know ~ sender, not known us',
    ),
    also: ['try', 'retry', 'wait', 'later', 'again', 'back'],
    unless: ['domain', 'verify', 'verification', 'dns', 'sender address', '@'],
    means: 'greylisted',
  },
  { id: 'greylisting-link', links: ['greylist', 'graylist', 'postgrey'], means: 'greylisted' },
  {
    id: 'sender-not-verified',
    words: [
      ...each(
        SENDER,
        list(`
        verification in progress, verification deferred, verification delayed, verification pending,
        verification temporarily, verify ~ progress, unverified address, not verified, verification fail,
        verify fail, verify temporarily fail, verification temporarily fail
      `),
      ),
      ...list(`
        verify mailfrom, verify mail from, sender verify, sender verification, sender callout, verify sender, not verify sender, not verify ~ sender, unverified sender,
        sender not ~ verified, callback ~ sender, verification fail sender, postmaster verification,
        verification fail ~ checking, not accept ~ empty address, not accept ~ null sender, not accept ~ bounces
      `),
    ],
    unless: ['not complete recipient verify'],
    means: 'sender_refused',
  },
  {
    // The recipient's domain was there at RCPT: after the message it is the sender's that is looked up.
    id: 'sender-domain-after-message',
    phases: ['body', 'dot'],
    words: ['domain ~ not exist', 'dns check fail'],
    also: ['#'],
    unless: ['recipient', 'url', 'link', 'helo', 'ehlo'],
    means: 'sender_refused',
  },
  {
    id: 'sender-not-checked',
    words: list(`
      dns ~ mail from, mail from domain ~ timed out, verification fail @, mailfrom check, mail from check,
      dns ~ mailfrom, not verify ~ mailfrom, not verify ~ mail from, not verify ~ from domain, dns error ~ sender, dns fail ~ sender, dns failure ~ sender, sender domain ~ dns, sender domain lookup, resolver error ~ from, dns error ~ from,
      error ~ your from, not look up ~ sender, not look up ~ from, lookup ~ your from
    `),
    // A callout that is not said to be about the sender was made for the recipient of this RCPT.
    unless: ['recipient', 'callout verification fail'],
    means: 'sender_refused',
  },
  {
    id: 'not-a-customer',
    phases: AFTER_RCPT,
    enhanced: ['5.1.1'],
    words: ['not our customer', 'not customer ours', 'no longer our customer'],
    // Where a domain is named, it is the domain that is not served.
    unless: ['&', 'domain'],
    means: 'unknown_recipient',
  },
  {
    id: 'domain-not-served',
    phases: ['mail', ...AFTER_RCPT],
    words: [
      ...list(
        'domain, domain &, &, domain recipient, recipient s domain, recipient domain, destination domain',
      ).flatMap((domain) =>
        list(`
          not local, not handled, not configured, not one ours, not belong us, not managed, not accepted here,
          not ~ my list, not known here, not served, not hosted, not on this server, not allowed ~ server
        `).map((state) => `${domain} ${state}`),
      ),
      ...list(`
        unauthorized relay, unauthenticated relay, invalid relay, relay check ~ fail, not configured let you, relay blocked, relay ~ blocked, not rcpthosts,
        not customer, not our mx, not our client, not our service,
        authenticate ~ relaying, authenticate ~ relay, relay access denied, relay denied, relay not permit, relay not allowed, relay prohibit, relay forbidden,
        relay refused, relay reject, relay disabled, relay not authorized, relay not supported, not relay, no relay,
        unable relay, not permit relay, not allowed relay, not authorized relay, refuse relay, relay access,
        not ~ open relay, not configured relay, relay ~ not permit, relay ~ not allowed, relay ~ denied, denied relay,
        permitted relay, relay attempt, relay operation, relay mail ~ not, relay through ~ server, against relay,
        allowed rcpthosts, not local domain, domain not hosted, not hosted here, not handle mail, domain not handled,
        domain not local, domain not served, non accepted domain, not accepted domain, domain not accepted,
        unrouteable mail domain, unroutable mail domain, no such domain here, no such domain & here, no such domain ~ location,
        no such domain server, domain not exist here, domain not exist ~ service, domain not exist server,
        domain not ~ service, domain not ~ system, domain not protected, domain not managed, domain not found here,
        domain not found our, domain not found server, domain not found ~ server, domain unknown server, domain unknown here, domain not found ~ system, not configured accept, no longer host, no longer handle, no longer relay, not hosted ~ server,
        no longer serve, no longer customer, no longer our customer, no longer responsible, not served here,
        not serve domain, not serve &, not host &, domain not enabled, domain not activ, not mail server ~ domain, not mx ~ domain,
        not mail exchanger ~ domain, we not responsible, not ~ our domain, domain not ~ here, domain not configured,
        not responsible ~ domain, not accept mail ~ other domains, not set up ~ domain, not set up receive,
        not configured ~ domain, not provisioned, no service ~ domain, no subscription, not subscribed ~ service,
        not a destination, not destination, not gateway, not our domain, unknown domain here,
        not accept mail ~ domain, not accept messages ~ domain, not receive mail ~ domain, not handle ~ domain,
        not host ~ domain, not final destination, not local host, not authoritative, no route ~ domain,
        not serve ~ domain, domain not ~ list, relais refuse, relais ~ interdit, relayage, relay ~ verweigert,
        relay ~ nicht erlaubt, relay ~ no permitido, relay ~ nao permitido, relay ~ negado, relay ~ denegado,
        relay ~ non consentito, domaine ~ non heberge, relay ~ only, only relay, relay service only,
        not ~ our customer, domain ~ not customer, nicht zustandig, nicht verantwortlich fur, nicht bei uns gehostet,
        no es un dominio local, dominio no alojado, dominio nao hospedado, dominio non gestito, domein niet,
        домен не обслуживается, 域名未托管, relay issue, relay disallowed, not open relay, insecure mail relay,
        no mail domain here, not ~ our local domain, not accept mail &, not accept messages &, we not mx, server not mx, host not mx, subscription & lapsed, subscription & expired,
        subscription domain ~ lapsed, subscription domain ~ expired, mail & not accept, mail domain not accept, messages & not accept, domain ~ or not local,
        use server ~ relay, use host ~ relay, use us ~ relay, use me ~ relay, relay mail, specified domain not allowed, i not deliver mail, delivery not allowed ~ address,
        delivery not permitted ~ address, not allowed deliver ~ address, denies relay, not accept recipient domain,
        not local recipient domain, not handle ~ recipient, credentials ~ relay, kein relay, open relay not allowed,
        local user only, local users only, domain not ~ routing, & missing ~ txt record, invalid ~ txt record, & missing ~ mx record, & not customer, not customer ours, & not our, domain ~ nicht zustandig,
        not our customer, domain not provisioned, domain not registered, hosted tenant, no mail enabled subscription
      `),
    ],
    unless: list(`
      relay s, sender domain, sender s domain, mail from &, messages from &, sender address, from domain, mailfrom domain, your domain, mailbox not hosted, user not hosted, account not hosted, recipient not hosted, ip ~ not authorized, listed ~ open relay, open relay ~ list,
      customer s address, customer s directory, account not provisioned, mailbox not provisioned, user not provisioned, recipient not provisioned, unroutable sender, unrouteable sender, spammer, domain not accept mail, no route host, no route destination, null mx,
      nullmx, illegal local part, invalid local part, spf, dkim, dmarc
    `),
    means: 'domain_not_served',
  },
  {
    id: 'no-greeting',
    phases: ['mail', ...AFTER_RCPT],
    words: ['helo required', 'ehlo required', 'helo ehlo required', 'ehlo helo required'],
    means: 'protocol_refused',
  },
  {
    id: 'out-of-order',
    codes: [503],
    words: list(`
      not yet given, not given, not specified, already given, already specified, need mail, need rcpt, no sender,
      no recipient, mail first, mail from first, rcpt first, rcpt to first, sequence, no valid recipient
    `),
    means: 'protocol_refused',
  },
  {
    id: 'command-line-too-long',
    phases: ['ehlo', 'mail', 'rcpt'],
    codes: [500],
    words: ['line too long'],
    means: 'protocol_refused',
  },
  {
    id: 'not-polite',
    words: list(`
      helo first, ehlo first, helo before, ehlo before, say helo, say ehlo, send helo, send ehlo, expected helo,
      no helo, issue helo
    `),
    codes: [500, 501, 502, 503, 504, 550, 554],
    means: 'protocol_refused',
  },
  {
    id: 'host-name-against-reverse-dns',
    words: list(`
      helo ~ not match, ehlo ~ not match, heloname ~ not match, helo ~ mismatch, helo host no, helo ~ no forward,
      ehlo ~ mismatch
    `),
    unless: ['ptr ~ not match ~ helo', 'ptr ~ not match ~ ehlo'],
    means: 'hostname_refused',
  },
  {
    id: 'host-name',
    words: [
      ...list(`
        fully qualified hostname, fully qualified host name, fully qualified domain name, fully qualified name, fqdn,
        your host name ~ not allowed, your hostname ~ not allowed, need ~ hostname, invalid hostname, bad hostname, forged hostname, hostname ~ not resolve,
        host name ~ not resolve, your host ~ not resolve
      `),
    ],
    unless: ['recipient', 'sender', 'mail from', 'reverse', 'ptr', 'rdns'],
    means: 'hostname_refused',
  },
  {
    id: 'host-name-at-greeting',
    phases: ['ehlo'],
    words: list(`
      invalid domain, invalid host, domain name, domain address, requires domain, valid domain, hostname, host name, invalid name,
      not me, bad domain, invalid argument, you claim, name you gave, identify yourself, introduce yourself,
      impersonat, pretend, my own name, not fully, unknown host, host not found, domain not found, your name,
      not believe, you not, you lie, & invalid, & not exist, & not resolve, dns says, server lies, host lies, lying, liar, its name not, its name is not, helo ~ error, ehlo ~ error
    `),
    unless: ['reverse', 'ptr', 'rdns', 'not find', 'not welcome', 'not wanted'],
    means: 'hostname_refused',
  },
  {
    id: 'host-name-greeting',
    words: ['helo', 'ehlo', 'helo command', 'heloname'],
    also: [
      ...list(`
        reject, invalid, bad, not found, not resolve, forged, spoof, mismatch, not match, argument, name, not exist,
        not valid, denied, refused, block, numeric, literal, impersonat, not allowed, hostname, not ~ fqdn,
        unknown helo, unknown ehlo, acceptable, uses ~ ip, impossible, not accept, illegal, bogus, fake, my name, our name, ungultig, invalide, no valido, error, believe, wrong
      `),
    ],
    unless: list(`
      spf, reverse dns, ptr, rdns, not recognized, not implemented, relay, dnsbl, rbl, blacklist, blocklist, using,
      spamhaus, dbl, listed, auth first, pipelining, reject spam
    `),
    means: 'hostname_refused',
  },
  {
    id: 'reverse-dns',
    words: [
      ...list(`
        ip must resolve, unverifyable sending, unverifiable sending, reverse dns, rdns, ptr, reverse lookup, reverse host,
        reverse hostname, reverse name, ip name ~ forged, name possibly forged, reverse resolution, reverse mapping,
        reverse record, reverse entry, reverse delegation, fcrdns, forward confirmed, inverse, not find ~ hostname,
        not find your host, ip name lookup, not resolve your address, not resolve your ip, dns reverse,
        hostname ~ not match ~ ip, ip ~ not resolve, ip ~ no hostname, ip ~ no name, host no name, no name dns,
        no hostname ~ ip, no hostname ~ #, # no hostname, # no name, address not ~ hostname, ip reverse,
        unresolvable relay host, not resolve ~ hostname, not map ~ hostname, dns inverso, dns inversa, dns reverso,
        resolucion inversa, resolution inverse, dns inverse, ruckwartsauflosung, обратная, обратной, обратную, 反向解析,
        反向dns, 逆引き, resoluzione inversa, without ~ hostname, client host reject not find, forward dns,
        forward dns entry, ip ~ not match ~ hostname, not verify ~ ip, no reverse, not have reverse, reverse look, rev dns, name lookup fail ~ your ip, name lookup fail ~ #, lookup your ip ~ fail,
        name dns, not find ~ name ~ ip, not find ~ name ~ #, address ~ no name
      `),
    ],
    // A name on a list was found.
    unless: list(`
      blacklist, blacklisted, blocklist, spamhaus, dnsbl, ip listed, # listed, spf fail, spf check fail, fail spf, dkim fail,
      dmarc fail, reject ~ spam, spf softfail, spf hardfail, no spf, no dkim, missing spf, missing dkim, ptr ~ authentication, rdns ~ authentication,
      authentication rdns, authentication ptr, authentication reverse dns
    `),
    means: 'reverse_dns_missing',
  },
];
