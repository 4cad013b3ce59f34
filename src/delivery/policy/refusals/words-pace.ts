/** Words about volume and rate: rate limits, numbers of recipients, and checks that are still running. */
import { each, SENDERS_DOMAIN } from './phrases.ts';
import { AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

/** Why something is put off, where the server names a cause: being slowed down is only what follows from it. */
const REPUTATION_IS_WHY = list(`
  due ~ reputation, because ~ reputation, low reputation, poor reputation, bad reputation, reputation too low,
  reputation ~ limited, reputation ratelimit, reputation rate limit, reputation ~ throttled, insufficient reputation, due ~ blacklist, due ~ blocklist,
  due ~ spamhaus, because ~ blacklist, because ~ spamhaus
`);

export const PACE: readonly Entry[] = [
  {
    // The server has seen both, and does not say which: the sender can change the message.
    id: 'content-or-reputation',
    phases: ['body', 'dot'],
    permanent: true,
    words: ['content ~ or ~ reputation', 'spam ~ or ~ reputation', 'reputation or ~ content'],
    unless: ['listed', 'your ip', '#'],
    means: 'content_refused',
  },
  {
    id: 'reputation-of-domain-is-why',
    words: REPUTATION_IS_WHY,
    also: SENDERS_DOMAIN,
    unless: ['too many', 'too much', 'client host', 'sending ip', 'ip reputation', 'ip address', 'your ip'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'reputation-of-a-name-is-why',
    phases: ['mail', 'rcpt', 'data', 'body', 'dot'],
    words: ['& poor reputation', '& bad reputation', '& low reputation', '& very low reputation'],
    unless: ['#', 'ip', 'host', 'server', 'client', 'mta'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'reputation-is-why',
    words: REPUTATION_IS_WHY,
    unless: ['reputation throttled', 'url', 'urls', 'link', 'links'],
    means: 'blocked',
  },
  {
    // Also where it is a limit on what one sender sends there.
    id: 'receive-limit-of-recipient',
    phases: AFTER_RCPT,
    words: each(
      ['recipient', 'mailbox', 'user', 'account', '@'],
      ['receive limit', 'receive quota', 'receiving quota', 'incoming quota', 'inbound quota'],
    ),
    means: 'recipient_receives_too_fast',
  },
  {
    id: 'receives-too-fast',
    phases: AFTER_RCPT,
    words: [
      ...each(
        list('recipient, mailbox, user, account, @, inbox'),
        list(`
          incoming limit, inbound limit, incoming rate, inbound rate, incoming message limit, incoming mail limit,
          rate limit, delivery limit, message limit, per hour limit, per day limit, hourly limit, daily limit, thread limit, concurrency limit,
          concurrent deliveries, too many deliveries, throttl, too many messages, too much mail, receive limit,
          receiving limit
        `),
      ),
      ...each(
        list('messages mailbox, messages recipient, messages user, mail mailbox, mail recipient, mail user'),
        list('too quickly, too fast, too often, too frequently'),
      ),
      ...list(`
        too many messages ~ deliver ~ mailbox, too many messages ~ deliver ~ recipient, incoming limit,
        limit ~ inbound messages, receiv mail ~ rate, receiv mail too, receiv too many, receiv ~ too quickly,
        inbound rate ~ mailbox, inbound rate ~ recipient, delivery limit ~ mailbox, delivery limit ~ recipient,
        too much mail recipient, too much mail mailbox, too much mail user,
        receivingrate, receivingrateperm, receiving mail ~ rate, receiving mail too, receiving too many,
        receiving ~ too quickly, receiving ~ too fast, exceed ~ receiving limit, receiving limit,
        limit ~ incoming messages, limit ~ incoming mail, recipient ~ exceed ~ messages,
        recipient ~ too many messages, messages ~ they can receive, too many messages ~ recipient,
        too many messages ~ mailbox, recipient ~ rate limit, mailbox ~ message rate, mailbox receiv ~ too much,
        user receiv ~ too much, account receiv ~ too much, recipient receiv ~ too much, mailbox ~ too many messages,
        user ~ too many messages, messages ~ may receive, @ may receive, user may receive, recipient may receive,
        allowed receive ~ per, receive ~ per hour, receive ~ per day, recipient thread limit, receive limit,
        message receive limit, recipient ~ inbound rate, mailbox ~ receiv ~ short period, mailbox concurrency,
        mailbox ~ concurrency, recipient ~ concurrency, too many messages @, too much mail @, too many mail @,
        recipient domain ~ exceed ~ connections, delivery rate recipient, delivery rate mailbox, delivery rate user, message rate recipient,
        message rate mailbox, gets too much, gets too many, getting too much, getting too many, receive quota, recipient ~ message limit,
        recipient ~ throttl, messages @ ~ volume, mail @ ~ volume, messages @ ~ rate, mail @ ~ rate,
        messages @ ~ too many, mail @ ~ too many, @ too many recent, too many mail recipient, too many mail mailbox,
        too many mail user, too many message user, too many message account, receiv more messages, receiv more mail,
        incoming message quota, incoming mail quota, incoming quota, inbound quota, inbound message quota, forwarding limit,
        forwarding quota
      `),
      ...each(
        list('recipient domain, recipient s domain, destination domain'),
        list(
          'hourly quota, daily quota, hourly limit, daily limit, rate limit, message limit, message quota',
        ),
      ),
    ],
    unless: list(`
      sender address reject, maximum ~ recipient ~ exceed, max ~ recipient ~ exceed, number of recipient,
      exceed quota, recipient s quota, user s quota, mailbox s quota, messages stored, exceed ~ quota, limit ~ sender, mailbox quota, messages ~ on server,
      messages server, from ~ ip, from #, your ip
    `),
    means: 'recipient_receives_too_fast',
  },
  {
    id: 'complaints-about-domain',
    phases: ['mail', ...AFTER_RCPT],
    words: list('complaints, complaint rate, too many spam, too much spam, too many bounces, bounce rate'),
    also: ['your domain', 'sender domain', 'sender s domain', 'sending domain', 'from domain'],
    unless: ['ip', '#', 'host', 'server', 'network'],
    means: 'blocked',
    about: 'sender_domain',
  },
  {
    id: 'bad-recipients',
    words: list(`
      too many invalid, too many unknown, too many bad recipient, excessive ~ unknown,
      too many failed recipient, too many fail recipient, too many nonexistent, too many ~ non existent,
      too many ~ nonexistent, too many ~ unknown user, too many ~ unknown recipient, too many ~ invalid recipient,
      too many spam, too much spam, too many messages ~ spam, dictionary attack, complaints, complaint rate, dhap, directory harvest, harvest attack, harvesting,
      too many bounces, bounce rate, unknown recipient count, unknown recipient limit, exceed ~ unknown recipient,
      exceed ~ invalid recipient, invalid recipient limit
    `),
    unless: list(`
      too many invalid command, too many unknown command, unexpected volume, spam points, spam ~ score,
      score ~ spam
    `),
    means: 'blocked',
  },
  {
    id: 'too-many-recipients',
    words: [
      ...list(`
        batch limit, too many recipient, too many rcpt, too many addresses, recipient limit, number of recipient, number addresses,
        number addressees, too many addressees, recipients above, recipients more than, recipients at once,
        maximum ~ recipient, max ~ recipient, number recipient ~ exceed, recipient count, recipient per message,
        only one recipient, recipient ~ per transaction, separate transaction, multiple destination domains,
        one domain per, too many domains, trop ~ destinataires, zu viele empfanger, demasiados destinatarios,
        muitos destinatarios, troppi destinatari, te veel ontvangers, zbyt wielu odbiorcow, слишком много получателей,
        收件人过多, 收件人太多, 宛先が多すぎ, out ~ rcpt number, rcpt number, rcpt limit, rcpt count, exceed ~ rcpt,
        rcpt ~ exceed, exceed ~ recipients, recipients ~ exceed, no more recipients, not accept more recipients,
        fewer recipients, recipient number
      `),
    ],
    unless: list(`
      hour, day, minute, hourly, daily, per day, sent to ~ recipient, recipient reject, recipients exceed ~ quota,
      quota, size,
      storage, space, mailbox, length, rate, connections, per ~ minutes, per ~ seconds, from your, from #, from ip
    `),
    means: 'too_many_recipients',
  },
  {
    id: 'connections-to-host',
    phases: GREETING,
    permanent: false,
    words: list(`
      too many connection host, too many connection server, service unavailable concurrency limit,
      service not available concurrency limit
    `),
    unless: ['from', 'your'],
    means: 'host_busy',
  },
  { id: 'connections-of-a-forest', words: ['resource forest'], means: 'host_busy' },
  {
    id: 'connections-of-everybody',
    words: list(`
      server wide, ports busy, lines busy, full connections, too many connected clients, too many clients,
      too many connection, too many concurrent, too many session, too many simultaneous, too many smtp,
      too many parallel, too many open connection, too many open session, simultaneous session, concurrent session,
      parallel session, too many tcp, too many tls connection, maximum ~ connections, max ~ connections,
      connection limit, connection rate, connection frequency, limit ~ connections, connections ~ limit,
      connections ~ exceed
    `),
    unless: list(`
      from, your ip, your host, your server, your address, your network, your mta, your connection, you have,
      you open, you already, you made, ip, #, per, host, source, peer, already, sender, user, mailbox, recipient,
      too many message, too many mail, client exceed, your client, spam, reputation, slow down, votre, ihrer, vostro
    `),
    means: 'host_busy',
  },
  {
    id: 'rate-of-domain',
    words: [
      ...each(
        ['sending domain', 'your domain', 'from domain'],
        list(`
          exceed ~ limit, exceed ~ quota, reached ~ limit, over ~ limit, messages per day, messages per hour, mail per day,
          mail per hour, more messages, more mail
        `),
      ),
      ...each(
        list('sender domain, sender s domain, senders domain'),
        list('hourly limit, hourly quota, daily limit, daily quota, limit reached, per hour, per day'),
      ),
      ...each(['domain &'], ['exceed ~ daily', 'exceed ~ hourly']),
      ...list(
        'sender ~ too fast, sender ~ too quickly, sender ~ too often, sender ~ hourly quota, sender ~ daily quota',
      ),
      ...each(
        ['sender', 'sender address'],
        list('exceed ~ quota, hourly ~ quota, daily ~ quota, message quota'),
      ),
      ...list('too many mail from domain, too many messages from domain, too much mail from domain'),
      ...list(`
      domain frequency limit, sender frequency limit, domain ~ rate limit, sender ~ rate limit,
      sender ~ exceed ~ limit, sender domain quota, sender ~ quota exceed, sender ~ quota ~ exceed,
      rate ~ dkim domain, rate ~ spf domain, rate ~ url domain, rate limit ~ sender, quota sender,
      quota ~ sender ~ used, quota ~ sender ~ exceed, quota ~ sender ~ reached, allowance ~ sender,
      limit ~ sender ~ exceed, limit ~ sender ~ reached, domain & ~ too many, domain ~ sent too many,
      & ~ sent too many, @ ~ sent too many, user sending limit, user ~ sending limit, user ~ sending quota,
      rate sender @ ~ exceed, rate sender exceed, sender limit, sender ~ daily, sender ~ per day, sender ~ per hour, messages from domain,
      mail from domain ~ too many, sender over quota, sender ~ over quota, rate ~ sender domain,
      sender ~ sent too many, sender ~ sending too many, sender ~ sending quota, too many ~ from sender,
      too many ~ from your domain, too many messages from @, too many mail from @, rate limit your domain,
      user @ recently created, user & recently created, domain & exceed ~ per, domain & exceed ~ hour, domain & exceed ~ day
    `),
    ],
    unless: ['ip', '#', 'relay', 'size'],
    means: 'rate_limited',
    about: 'sender_domain',
  },
  {
    id: 'rate-of-rejected-sender',
    words: ['sender address reject'],
    also: list(`
      quota exceed, limit exceed, rate limit, limit reached, too many, too much, per hour, per day
    `),
    unless: ['size'],
    means: 'rate_limited',
    about: 'sender_domain',
  },
  {
    id: 'rate-of-domain-from-many-addresses',
    words: ['sender domain ~ too many', 'your domain ~ too many', 'from domain ~ too many'],
    also: ['too many mail', 'too many message', 'too many address', 'too many ip', 'too many different'],
    means: 'rate_limited',
    about: 'sender_domain',
  },
  {
    id: 'rate-of-sender',
    phases: ['mail'],
    words: ['limit @', '@ ~ limit', '@ ~ rate', '@ ~ too many', '@ ~ quota'],
    unless: ['ip', '#', 'relay', 'recipient', 'size', 'host'],
    means: 'rate_limited',
    about: 'sender_domain',
  },
  {
    id: 'rate',
    words: [
      ...list(`
        excessive connection, excessive rate, excessive messages, excessive mail, again later from #, later from your,
        rate limit, ratelimit, rate control, throttle, throttled, throttling, too many message, too many mail,
        too many connection, too many hits, too many new connection, too many concurrent, too many session, too many smtp,
        too many simultaneous, too much mail, too many transaction, too many open, too many attempt, too many requests, too many deliver,
        too many same, too many similar, too many identical, too fast, too quickly, too frequent, too often, slow down, slower, sending too much, frequency limit,
        frequency ~ limit, connection limit, connection rate, message rate, mail rate, exceed ~ rate, rate ~ exceed,
        limit ~ connection, connection ~ limit, max ~ connection, maximum ~ connection, number ~ connection,
        per connection, per hour, per minute, per day, recipients ~ hour, messages ~ hour, hourly limit, daily limit,
        connections per ip, connections per host, sessions per ip, sessions per host, hourly ~ limit, daily ~ limit,
        recipients ~ minute, recipients ~ day, too many recipients ~ last,
        sending limit, sending quota, sending rate, excessive volume, unexpected volume, high volume, volume ~ mail,
        unusual rate, unusual volume, concurrency limit, message threshold, simultaneous connection,
        parallel connection, message limit, hourly quota, quota messages, message quota, ip ~ exceed ~ quota,
        # ~ exceed ~ quota, sent more messages, sent more mail, more messages we, more mail we, more messages allowed,
        more connections allowed, simultaneous session, parallel session, concurrent session,
        exceed ~ number ~ messages, exceed ~ number ~ mail, daily allowance, hourly allowance, message allowance,
        flood, flooding, burst, back off, calm down, too rapid, rapidly, pace, your limit, fewer connections,
        fewer messages, number of messages ~ exceed, too much traffic, hammering, overlimit, over limit ~ ip,
        over limit ~ #, submission quota, transfer quota, session ~ quota, your quota, policy ~ quota exceed,
        relay limit, send limit, too many tls, too many ~ session, 过于频繁, limite ~ envio, limite ~ envoi, sendelimit,
        limite ~ mensajes, limite ~ mensagens, quota ~ per hour, quota ~ per day, quota ~ per minute,
        quota ~ per sender, exceeded ~ permitted limits, limit ~ message ~ exceed, daily quota, already ~ connection,
        reduce ~ rate, message per, excesso ~ conexoes, exceso ~ conexiones, exces ~ connexions, excesso ~ mensagens,
        exceso ~ mensajes, trop ~ connexion, trop ~ message, zu viele, demasiadas, demasiados, muitas ~ conexoes,
        muitas ~ mensagens, troppe ~ connessioni, troppi ~ messaggi, слишком много, слишком часто, 太频繁, 频率, 频繁, 過於頻繁,
        太多, 连接数, too many recent, too many new messages, relay quota, daily ~ quota, hourly ~ quota, reached ~ daily,
        reached ~ hourly, quota ~ today, today s quota, credits exceed, too many errors ~ ip,
        too many errors from #, temporarily limited, per ~ minutes, per ~ seconds, per ~ hours, connections ~ exceed,
        too frequently, excessive number, frequency too, too many deliveries, rate messages, rate ~ too high,
        too many recipients from, too many recipients ~ from
      `),
    ],
    unless: list(`
      hop, hops, too many header, messages stored, mail data, too many messages server, zu viele mail ~ server, spam rate,
      domain ~ per day, permanently,
      not accept ~ spam
    `),
    means: 'rate_limited',
  },
  {
    id: 'verification-cannot-reach',
    words: list(`
      unverified address, recipient verify, recipient callout, recipient validation, verification fail,
      verify recipient, not verify recipient, recipient verification, not verify address, not determine ~ recipient,
      address verification, recipient unverified
    `),
    also: list(`
      timed out, connection refused, refused connection, lost connection, not connect, no route, unreachable, host down, not respond,
      not reach, no response
    `),
    phases: AFTER_RCPT,
    means: 'routing_trouble',
  },
  {
    id: 'still-being-verified',
    phases: AFTER_RCPT,
    words: list(`
      verification in progress, verification ~ progress, verification pending, verification ~ pending,
      verification ~ under way, validation pending, validation ~ pending, validation ~ progress, verify ~ progress,
      callout ~ progress, lookup ~ progress, check ~ progress, confirmation pending, probe pending,
      checking whether ~ exist, address ~ probed, recipient ~ probed, still verif, still checking, still asking,
      not yet verified, not yet confirmed, check not finished, check not complete, verification temporarily,
      validation temporarily, verification ~ temporarily
    `),
    unless: ['ldap', 'database', 'directory ~ unavailable', 'sender', 'mail from'],
    means: 'address_being_verified',
  },
  {
    // The code says that something inside failed, not that an answer is still awaited.
    id: 'recipient-check-failed',
    phases: AFTER_RCPT,
    permanent: false,
    enhanced: ['4.3.x'],
    words: ['not check ~ recipient', 'recipient check'],
    unless: ['not finished', 'not complete', 'progress', 'pending'],
    means: 'temporary_refusal',
  },
  {
    id: 'being-verified',
    phases: AFTER_RCPT,
    words: [
      ...list(`
        not verify user, not verify mailbox, not verify account, address verified, recipient verified,
        recipient not verified, verification recipient, not confirm ~ user, not confirm ~ recipient,
        not verify recipient, not determine ~ recipient, not determine ~ user, not determine ~ mailbox,
        not check ~ recipient, not validate recipient, not validate address, recipient check, recipient ~ not checked,
        recipient ~ unverified, address verification, unverified address, recipient verify, recipient verification,
        recipient validation, verifying, not verify address, not check @, not verify @, verify address ~ at time
      `),
    ],
    unless: ['ldap', 'database', 'directory ~ unavailable', 'not check mx', 'not check dns'],
    permanent: false,
    means: 'address_being_verified',
  },
];
