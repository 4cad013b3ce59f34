/** Words about how much and how fast: rates, numbers of recipients, and what a server is still finding out. */
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

export const PACE: readonly Entry[] = [
  {
    id: 'receives-too-fast',
    phases: AFTER_RCPT,
    words: [
      ...list(`
    receiv mail ~ rate, receiv mail too, receiv too many, receiv ~ too quickly, receivingrate,
    receivingrateperm, receiving mail ~ rate, receiving mail too, receiving too many,
    receiving ~ too quickly, receiving ~ too fast, exceed ~ receiving limit, receiving limit, limit ~ incoming messages,
    limit ~ incoming mail,
    recipient ~ exceed ~ messages, recipient ~ too many messages, messages ~ they can receive,
    too many messages ~ recipient, too many messages ~ mailbox, recipient ~ rate limit,
    mailbox ~ message rate, receive quota, recipient ~ message limit, recipient ~ throttl
  `),
    ],
    means: 'recipient_receives_too_fast',
  },
  {
    id: 'bad-recipients',
    words: list(`
      too many invalid, too many unknown, too many bad recipient, excessive ~ unknown,
      too many errors ~ ip, too many nonexistent
    `),
    means: 'blocked',
  },
  {
    id: 'too-many-recipients',
    words: [
      ...list(`
    too many recipient, too many rcpt, too many addresses, recipient limit, maximum ~ recipient,
    max ~ recipient, number recipient ~ exceed, recipient count, recipient per message,
    only one recipient, recipient ~ per transaction
  `),
    ],
    unless: list(`
      hour, day, minute, per day, sent to ~ recipient, recipient reject
    `),
    means: 'too_many_recipients',
  },
  {
    id: 'rate-of-domain',
    words: list(`
      domain frequency limit, sender frequency limit, domain ~ rate limit, sender ~ rate limit,
      sender ~ exceed ~ limit, rate ~ dkim domain, rate ~ spf domain, rate ~ url domain
    `),
    unless: ['ip', '#', 'relay'],
    means: 'rate_limited',
    about: 'sender_domain',
  },
  {
    id: 'rate',
    words: [
      ...list(`
    rate limit, ratelimit, throttle, throttled, throttling, too many message, too many mail,
    too many connection, too many concurrent, too many session, too many smtp, too many simultaneous,
    too much mail, too many transaction, too many open, too many attempt, too many requests,
    too many deliver, too fast, too quickly, too frequent, too often, slow down, slower, sending too much,
    frequency limit, frequency ~ limit, connection limit, connection rate, message rate, mail rate,
    exceed ~ rate, rate ~ exceed, limit ~ connection, connection ~ limit, max ~ connection,
    maximum ~ connection, number ~ connection, per connection, per hour, per minute, per day,
    recipients ~ hour, messages ~ hour, hourly limit, daily limit, sending limit, sending quota,
    sending rate, excessive volume, unexpected volume, high volume, volume ~ mail, unusual rate,
    unusual volume, concurrency limit, message threshold, simultaneous connection, parallel connection,
    message limit, limit ~ message ~ exceed, user complaints, daily quota, already ~ connection,
    reduce ~ rate, message per, trop ~ connexion, trop ~ message, zu viele, demasiadas, demasiados,
    muitas ~ conexoes, muitas ~ mensagens, troppe ~ connessioni, troppi ~ messaggi, слишком много,
    слишком часто, 太频繁, 频率, 频繁, 過於頻繁, 太多, 连接数
  `),
    ],
    unless: list(`
      hop, hops, too many header, mail data, spam rate, domain ~ per day, permanently, not accept ~ spam
    `),
    means: 'rate_limited',
  },
  {
    id: 'verification-cannot-reach',
    words: list(`
      unverified address, recipient verify, recipient callout, verification fail, verify recipient,
      address verification
    `),
    also: list(`
      timed out, connection refused, not connect, no route, lookup, callout, not complete, unreachable
    `),
    permanent: false,
    means: 'routing_trouble',
  },
  {
    id: 'being-verified',
    phases: AFTER_RCPT,
    words: [
      ...list(`
    verification in progress, verification ~ progress, checking whether ~ exist, not verify recipient, verify ~ progress, address verification,
    unverified address, callout ~ progress, recipient verify, recipient verification,
    validation ~ progress, verifying
  `),
    ],
    permanent: false,
    means: 'address_being_verified',
  },
];
