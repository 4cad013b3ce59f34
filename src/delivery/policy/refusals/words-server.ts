/** Words about the state of the replying server. */
import { each } from './phrases.ts';
import { AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

/** Something failed inside, and whatever it was, nobody but them knows. */
const HOST_FAILURE = list(`
  temporary lookup, lookup failure, temporary lookup failure, local error, error in processing, internal error,
  internal server error, server error, internal software error, configuration error, config error,
  configuration problem, database, ldap, local problem, system problem, temporary service, service failure,
  ldap timeout, queue file write, queue file, temporary failure, temporary system, temporary server,
  technical problem, temporary error, processing error, misconfigured, server configuration, backend, storage error,
  i o error, scanner, scan ~ fail, antivirus, filter daemon, virus daemon, disk failure, hardware failure,
  transient exception, transient error, directory server, directory ~ timed out, directory unavailable, directory service, spam checker,
  virus scan ~ timed out, went wrong, system call, encountered ~ error, error while, error occurred, error during,
  not stat message, not stat ~ file, temporary file, temp file, spool file, spool fail, not create output, unexpected error, unknown error, unspecified error, undefined error, unidentified error, general failure, general error,
  fatal error, unexpected failure, output file, milter, filter ~ unavailable, command died, mailer error, procmail, maildrop, delivery agent, filter error, system error, software error,
  content filter ~ unavailable, filter ~ unreachable, filter ~ not respond, filter ~ timeout, filter ~ timed out,
  qq trouble, qq ~ trouble, qq ~ problem, mail server temporarily reject, policy server, policy service, policy daemon,
  erreur interne, interner fehler, technisches problem, error interno, erro interno, errore interno, error temporal,
  erro temporario, errore temporaneo, erreur temporaire, temporarer fehler, 系统错误, 内部错误, сервер ~ недоступен,
  внутренняя ошибка, временная ошибка, probleme technique
`);
const NOT_HOST_FAILURE = list(`
  your ip, mailbox ~ not accepting, user ~ not accepting, reject milter, refused milter, block milter, authentication error, dns, host lookup, host name lookup
`);
const UNAVAILABLE = list(`
  service disabled, service unavailable, service not available, service temporarily, service not active, server ~ unavailable,
  server not available, server temporarily, system temporarily, system unavailable, system not available,
  smtp not available, mail service ~ unavailable, service ~ unavailable, service indisponible, serveur indisponible,
  dienst ~ nicht verfugbar, server ~ nicht verfugbar, servicio no disponible, servidor no disponible,
  servico indisponivel, servizio non disponibile, dienst niet beschikbaar, сервис ~ недоступен, 服务不可用
`);
const ABOUT_US = list(`
  block, client host, #, access denied, your ip, policy, your server, spam, reputation, your host, mailbox unavailable
`);

const NOT_ACCEPTING = list(`
  rejecting connections, not accepting mail, not accepting messages, server not accepting, system not accepting,
  service not accepting, not accepting connections, not accepting network messages, not accepting new, out of service,
  service stopped
`);
const NOT_THE_SERVER = list(`
  your ip, user, mailbox, recipient, account, address not accepting, command, scanner, antivirus, @ ~ not accepting, not accepting mail @, not accepting messages @, from your, from #
`);

export const ABOUT_SERVER: readonly Entry[] = [
  {
    id: 'no-mail-service',
    phases: GREETING,
    words: list(`
      no smtp service, not accept mail, not mail server, not mail host, no mail service, no smtp here, no mail here,
      not accept messages, nullmx, never accept mail, no service here, not receive mail, mail not received,
      mail not accepted, takes no mail, receives no mail, receive no mail, no mail accepted, not for mail,
      not take mail, never receives mail, never takes mail, not run smtp, accept no mail, not an smtp
    `),
    unless: list(`
      from you, your, #, time, temporarily, right now, from ip
    `),
    permanent: true,
    means: 'host_accepts_no_mail',
  },
  {
    id: 'no-mail-server-any-more',
    phases: GREETING,
    words: list(
      'server ~ retired, host ~ retired, decommission, server ~ decommission, server no longer ~ use',
    ),
    permanent: true,
    means: 'host_accepts_no_mail',
  },
  {
    id: 'waited-too-long',
    permanent: false,
    words: list(`
      timeout exceed, command timeout, timeout waiting, timeout closing, connection expired, idle timeout,
      timed out waiting, session open ~ too long, session timeout, data timeout, input timeout, idle too long,
      allowable connection time, session duration, session expired, connection open ~ too long
    `),
    unless: ['next server', 'next hop', 'nexthop', 'backend', 'upstream', 'downstream'],
    means: 'temporary_refusal',
  },
  { id: 'busy-server', words: ['server busy', 'server too busy', 'server ~ too busy'], means: 'host_busy' },
  {
    id: 'busy',
    words: list(`
      server busy, too busy, serveur ~ occupe, server ~ uberlastet, system busy, busy, overload, overloaded, load ~ lower, backed up, too much work,
      load ~ too high, load ~ too great, load too, load limit, load average, high load, heavy load, too much load,
      out processes, too many processes, no free process, no free connection, no available process, child process, system load, heavily loaded, server at capacity, maximum load, unable process connection, 系统繁忙, 系統忙碌, 系统忙, 服务器忙,
      繁忙, сервер ~ перегружен, servidor ~ ocupado, servidor ~ sobrecargado, server ~ occupato, server ~ sovraccarico,
      server ~ overbelast, server ~ druk, uberlastet, queue unavailable, queue full, queue quota, queue ~ full,
      queue too, queue ~ too, backlog, swamped, congest, congested, congestion, no free slots, out ~ slots, no connection slots, no slots, no more connections,
      no more sessions, not accept more connections, load shedding, shedding load, running out, not fork, short of memory, short of disk, surcharge,
      occupe, saturado, sovraccarico, overbelast, przeciazony, перегружен
    `),
    unless: list(`
      mailbox busy, user busy, recipient busy, account busy, mailbox ~ busy, mailbox ~ maintenance, line busy
    `),
    means: 'host_busy',
  },
  {
    id: 'host-resources',
    words: list(`
      resource limitation, server storage, insufficient system, system resource, system storage, insufficient disk, insufficient resources,
      insufficient storage, disk full, disk ~ full, partition full, spool ~ full, disk space, no space left,
      out memory, server ~ out space, system ~ out space, server ~ no space, mail system full, system full, resource temporarily, resources temporarily, resources unavailable,
      resources not available, storage ~ insufficient, insufficient memory, out disk, not enough disk,
      resources exhausted, resources ~ exhausted, memory exhausted, low disk, low memory, low space,
      not enough memory, out resources, too many open files, memoire insuffisante, espace disque, kein speicherplatz,
      speicherplatz ~ server, festplatte, space ~ device, spazio ~ device, espacio ~ disco, espaco ~ disco, spazio ~ disco, 磁盘, 内存不足
    `),
    unless: list(`
      your ip, user, mailbox, recipient, account, quota
    `),
    means: 'host_busy',
  },
  {
    id: 'host-not-now',
    words: list(`
      connection not accept ~ time, connection not accept ~ now, connection not accept ~ moment, maintenance,
      server ~ upgrad, system ~ upgrad, not accepting ~ time, not accepting ~ now,
      not accepting ~ moment, system down, server down, service down, shutting down, shut down, shutdown, going down,
      restarting, restart, rebooting, starting up, not yet initialized, not initialized, initializing, not ready yet, not yet ready, not ready, back soon, back after,
      paused, upgrade, upgrading, out of order, going offline, under repair, system offline, server offline, service offline,
      service disabled ~ temporarily, wartung, wartungsarbeiten, mantenimiento, manutencao, manutenzione, onderhoud,
      обслуживани, технические работы, 维护, メンテナンス
    `),
    unless: NOT_THE_SERVER,
    means: 'host_not_accepting',
    final: false,
  },
  {
    id: 'not-accepted-by-policy',
    phases: GREETING,
    permanent: true,
    enhanced: ['x.7.x'],
    words: NOT_ACCEPTING,
    unless: ['temporarily', 'time', 'now', 'moment', 'later'],
    means: 'blocked',
  },
  {
    id: 'host-not-accepting-at-the-door',
    phases: GREETING,
    permanent: true,
    words: NOT_ACCEPTING,
    unless: [...NOT_THE_SERVER, ...ABOUT_US, 'temporarily', 'time', 'now', 'moment', 'later'],
    means: 'host_refused_service',
  },
  {
    id: 'host-not-accepting',
    words: NOT_ACCEPTING,
    unless: NOT_THE_SERVER,
    means: 'host_not_accepting',
  },
  {
    id: 'routing',
    words: list(`
      imap server, lmtp server, mailbox server, host down, connection ~ internal, connection ~ mail host, downstream, mail store ~ not, home server,
      final server, internal mail server, relay host, hand ~ over, lost connection, connection ~ server ~ dropped, connection dropped due, primary target ip, failover ~ host,
      connection ~ reset, network unreachable, network ~ down, not find ~ gateway, fail connect, not communicat,
      communicating ~ target, no route, not reach, not reachable, unreachable, connection refused,
      connection timed out, unable connect, not connect, dns fail, dns failure, name service error, not route, not lookup mx, dns timeout, dns query, dns lookup, dns error,
      name server, nameserver, upstream, next hop, nexthop, host not respond, no answer, not answer,
      server ~ not answer, not deliver ~ next, host lookup, host name lookup, dns temporary, not resolve route,
      unable resolve, recipient s server ~ unavailable, unable contact destination, not contact destination,
      host lookup not complete, all hosts ~ fail, wrong ~ region, recipient server ~ unavailable,
      not establish ~ connection, connection ~ timed out, timed out ~ connect, connection ~ server timed out,
      connection ~ backend ~ timed out, connection ~ destination ~ timed out, no connection ~ backend,
      no connection ~ server, connection ~ server refused, connection backend ~ fail, connection ~ backend ~ refused,
      connection internal ~ fail, econnrefused, etimedout, tcp ~ error, socket error, connection reset by peer,
      dial tcp, i o timeout, not responding, no response from, backend ~ timed out, server ~ not respond,
      recipient ~ server ~ not, recipient ~ server ~ unavailable, destination ~ server ~ not,
      destination ~ server ~ unavailable, target ~ server ~ not, target ~ server ~ unavailable,
      customer ~ server ~ not, customer ~ server ~ unavailable, customer ~ server ~ down, destination ~ server ~ down,
      network error, network i o, network problem, network failure, network timeout, not route ~ server,
      not route ~ backend, no answer from host, not contact, not hand, fail ~ relaying, failure relaying, fwd connect, next server, no path, backend unavailable, backend ~ unavailable, backend ~ down, connection lost, mail host not, dns resolv error, resolv ~ fail, mx lookup
    `),
    unless: list(`
      ldap, database, scanner, antivirus, milter, policy service, policy server, content filter, temporary server error
    `),
    phases: AFTER_RCPT,
    means: 'routing_trouble',
  },
  {
    id: 'routing-at-once',
    phases: ['mail', ...GREETING],
    words: list(`
      not contact destination, not contact ~ server, not connect ~ destination, not connect ~ backend,
      not connect ~ internal, destination ~ unreachable, backend ~ unreachable, backend ~ not respond, upstream ~ fail,
      upstream ~ unavailable, upstream ~ error, upstream ~ not, not reach ~ mail server, not reach ~ backend,
      not connect smtp server, not connect mail server
    `),
    means: 'routing_trouble',
  },
  {
    id: 'dns-at-mail',
    phases: ['mail'],
    permanent: false,
    words: list(
      'dns lookup, dns fail, dns failure, dns error, dns timeout, dns query, temporary dns, dns temporary',
    ),
    unless: list('sender, from, helo, ehlo, ptr, reverse, #, ip, &'),
    means: 'routing_trouble',
  },
  {
    id: 'host-trouble',
    permanent: false,
    words: [...HOST_FAILURE, 'not process'],
    unless: NOT_HOST_FAILURE,
    means: 'temporary_refusal',
  },
  {
    id: 'host-trouble-that-passes',
    permanent: true,
    words: HOST_FAILURE,
    also: list(`
      temporary, temporarily, try later, try again, retry, again later, transient exception, transient error,
      transient failure
    `),
    unless: NOT_HOST_FAILURE,
    means: 'temporary_refusal',
  },
  {
    id: 'host-broken',
    permanent: true,
    words: HOST_FAILURE,
    unless: NOT_HOST_FAILURE,
    means: 'host_not_accepting',
  },
  {
    id: 'service-unavailable-for-now',
    permanent: false,
    words: UNAVAILABLE,
    unless: ABOUT_US,
    means: 'host_not_accepting',
  },
  {
    id: 'service-unavailable-temporarily',
    permanent: true,
    words: UNAVAILABLE,
    also: ['temporarily', 'temporary', 'try later', 'try again', 'retry', 'time', 'moment', 'now'],
    unless: ABOUT_US,
    means: 'host_not_accepting',
    final: false,
  },
  {
    id: 'service-unavailable',
    phases: ['mail', ...AFTER_RCPT],
    permanent: true,
    enhanced: null,
    words: UNAVAILABLE,
    unless: ABOUT_US,
    means: 'host_not_accepting',
  },
  {
    id: 'service-unavailable-told',
    phases: ['mail', ...AFTER_RCPT],
    permanent: true,
    enhanced: ['5.0.x', '5.3.x', '5.4.x'],
    words: UNAVAILABLE,
    unless: ABOUT_US,
    means: 'host_not_accepting',
  },
  {
    id: 'protocol-words',
    words: list(`
      synchronization error, line parse error, command parse error, break rules, broke rules, not allowed smtp command,
      not allowed command, sent too many times, noop ~ too many, too many noop, rset ~ too many, vrfy ~ too many,
      protocol violation, protocol error, command not support, talk before, speak before, spoke first, pipelining, syntax error, bad sequence, premature,
      pregreet, too many errors, too many protocol errors, too many syntax, too many ~ command, junk command, nonmail,
      non mail command, talk ~ before ~ greeting, spoke before, before ~ greeting, no data before greeting,
      no recipient specified, bad smtp command, not follow ~ protocol, not rfc 5321, line feed, wait ~ server respond, before greeting, talk ~ too soon, improper command, improper use, nested mail,
      not implemented, not recognized, out of order, out of sequence, wrong order, unexpected command,
      unsupported command, command ~ unexpected, early talker, garbage, wait ~ greeting, wait ~ banner,
      synchronisation error, bad command, unknown command, invalid command, not wait, command line too long,
      command too long, before ~ banner, command unrecognized, wrong sequence, wrong command, wait ~ my reply,
      wait ~ reply, must wait
    `),
    unless: list(`
      internal protocol error, address, mailbox, header, user, too many recipient, too many hops, too many messages
    `),
    means: 'protocol_refused',
  },
  {
    id: 'wait-a-little',
    phases: AFTER_RCPT,
    codes: [450, 451, 452],
    words: [
      ...each(
        list(`
          come back, try again, delayed, try, retry, wait, again, back, resend, send again, deliver again, repeat, return,
          reconnect
        `),
        ['sec', 'second', 'seconds', 'min', 'minute', 'minutes'],
      ),
      ...list(`
        versuchen ~ minuten, minuten ~ erneut, erneut ~ minuten, sekunden ~ erneut, versuchen ~ sekunden,
        reessayer ~ minutes, reessayez ~ minutes, essayer ~ minutes, intente ~ minutos, intentelo ~ minutos,
        tente ~ minutos, riprova ~ minuti, riprovare ~ minuti, probeer ~ minuten, minuten ~ opnieuw, через ~ минут,
        zkuste ~ minut, sprobuj ~ minut, dakika sonra, 分钟后, 分鐘後, 分後
      `),
      'try again 00',
      'queue ~ sec',
      'queue ~ seconds',
      'queue ~ minutes',
    ],
    unless: ['block', 'banned', 'policy', 'denied', 'refused', 'mailbox', 'server'],
    means: 'greylisted',
  },
];
