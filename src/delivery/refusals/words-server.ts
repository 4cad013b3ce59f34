/** Words about the state of the server that says them. */
import { AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

export const ABOUT_SERVER: readonly Entry[] = [
  {
    id: 'no-mail-service',
    phases: GREETING,
    words: list(`
      no smtp service, not accept mail, not mail server, not mail host, no mail service, no smtp here,
      no mail here, not accept messages, nullmx, never accept mail, no service here, not receive mail,
      not run smtp, accept no mail, not an smtp
    `),
    unless: list(`
      from you, your, #, time, temporarily, right now, from ip
    `),
    permanent: true,
    means: 'host_accepts_no_mail',
  },
  {
    id: '421-closing',
    codes: [421],
    words: ['service not available', 'service unavailable', 'closing'],
    unless: ['#', 'block', 'your ip', 'policy'],
    means: 'host_busy',
  },
  {
    id: 'busy',
    words: list(`
      server busy, too busy, serveur ~ occupe, server ~ uberlastet, system busy, busy, overload, overloaded, load ~ too high, load average,
      high load, system load, shutting down, going down, shutdown, maintenance, restarting
    `),
    unless: ['mailbox busy', 'user busy', 'mailbox ~ busy', 'mailbox ~ maintenance', 'line busy'],
    means: 'host_busy',
  },
  {
    id: 'host-resources',
    words: [
      ...list(`
    insufficient system, system resource, system storage, insufficient disk, insufficient resources,
    insufficient storage, disk full, disk space, no space left, out memory, mail system full,
    not accepting mail, not accepting messages, server not accepting, system not accepting,
    service not accepting, not accepting connections, not accepting ~ at this time,
    not accepting ~ time, not accepting ~ now, not accepting network messages, not accepting new,
    resource temporarily, resources temporarily, storage ~ insufficient, insufficient memory, out disk
  `),
    ],
    unless: list(`
      your ip, user, mailbox, recipient, account, @ ~ not accepting
    `),
    means: 'host_not_accepting',
    final: false,
  },
  {
    id: 'host-trouble',
    words: [
      ...list(`
    temporary lookup, lookup failure, temporary lookup failure, local error, error in processing,
    internal error, internal server error, server error, internal software error, configuration error,
    config error, configuration problem, database, ldap, local problem, system problem,
    queue file write, temporary failure, temporary system, temporary server, technical problem,
    temporary error, processing error, misconfigured, server configuration, server ~ unavailable,
    backend, storage error, i o error, scanner, scan ~ fail, milter, filter ~ unavailable, system error,
    software error, content filter ~ unavailable, unable to process, server temporarily,
    system temporarily, erreur interne, interner fehler, technisches problem, error interno,
    erro interno, errore interno, 系统错误, 系统繁忙, 系統忙碌, 系统忙, 内部错误, сервер ~ недоступен, probleme technique
  `),
    ],
    unless: ['your ip', 'mailbox ~ not accepting', 'user ~ not accepting', 'authentication error'],
    means: 'host_not_accepting',
  },
  {
    id: 'service-unavailable',
    phases: ['mail', ...AFTER_RCPT],
    words: ['service unavailable', 'service not available', 'service temporarily'],
    unless: ['block', 'client host', '#', 'access denied'],
    means: 'host_not_accepting',
  },
  {
    id: 'routing',
    words: list(`
      no route, not reach, not reachable, unreachable, connection refused, connection timed out,
      unable connect, not connect, dns fail, dns timeout, dns query, dns lookup, dns error, name server,
      nameserver, upstream, next hop, host not respond, no answer from host, not deliver ~ next
    `),
    phases: AFTER_RCPT,
    means: 'routing_trouble',
  },
];
