/** Words about the message. */
import { AFTER_RCPT, BEFORE_MESSAGE, type Entry } from './table.ts';
import { list } from './words.ts';

/** Whatever kept it from being passed on, it is over. */
export const EXPIRED: Entry = {
  id: 'expired',
  words: list(`
    message expired, delivery expired, queue expired, in queue too long, queue too long, delivery time expired,
    delivery timeout, retry timeout exceed, maximum time ~ queue, unable to deliver ~ after, retry time not reached, long failure period,
    queue period, failing ~ long time, not delivered ~ more than, not collected after, gave up, giving up,
    message too old, undelivered, lifetime exceed, maximum age, max age, retry limit, tried too long, tried ~ days,
    trying ~ days, not deliver ~ days, not delivered ~ days, delivery ~ abandoned, after ~ days, too long in queue,
    lifetime expired, message ~ timed out
  `),
  // How qmail ends whatever another server answered, and how programs end any error.
  unless: [
    'giving up #',
    'error giving up',
    'not accepting',
    'not hand',
    'mailbox full',
    'quota exceed',
    'over quota',
  ],
  means: 'delivery_expired',
};

/** What a filter advises along with its verdict (SPF, HELO, PTR) is not the cause. */
export const FILTER_VERDICT: Entry = {
  id: 'filter-verdict',
  phases: ['body', 'dot'],
  words: list(`
    fail ~ antispam, fail ~ anti spam, fail ~ spam check, fail ~ spam filter, identified ~ spam, classified ~ spam,
    considered ~ spam, detected ~ spam, message ~ looks like spam, appears unsolicited, spam score, score too high, message reject spam,
    mail reject spam, message refused spam, mail refused spam
  `),
  unless: list('timeout, timed out, error, temporary, temporarily, ip, #, reputation, blacklist, blocklist'),
  means: 'content_refused',
};

const SPAM = ['spam', 'antispam', 'anti spam', 'junk', 'unsolicited', 'bulk mail'];

export const ABOUT_MESSAGE: readonly Entry[] = [
  {
    id: 'too-large',
    phases: ['mail', ...AFTER_RCPT],
    words: [
      ...list(`
        message exceed ~ limit, mail exceed ~ limit, message exceed ~ length, mail exceed ~ length, mail exceed ~ mb, body exceed ~ mb, body exceed ~ limit,
        mail exceed ~ bytes, too big message, too big mail, attachment ~ size, attachment too large, attachment too big, attachments ~ too large, attachments ~ too big,
        too large attachment, bigger, message exceeds ~ mb, message exceeds ~ bytes, mail too long, too large message,
        oversize, oversized, message too large, message too big, message too long, mail too large, mail too big,
        message ~ too large, message ~ too big, size exceed, exceed ~ size, size limit, maximum message size,
        message size, mail size, message larger, larger, max message size, length exceed, message length,
        length ~ exceed, size ~ exceed, maximum size, mailsize, size violation, exceed ~ mailsize,
        message file too big, taille ~ message, message ~ trop, zu groß, zu gross, trop volumineux, trop volumineuse,
        trop gros, demasiado grande, muito grande, troppo grande, te groot, zbyt duza, zbyt duzy, слишком велик,
        слишком велико, サイズ, 大きすぎ, 过大, 太大, size ~ over, too heavy, limit ~ mb, mb limit, over limit ~ bytes,
        more than we take, nachricht ~ zu groß, nachricht ~ zu gross, nachricht ~ gross, mensaje ~ grande,
        tamano ~ mensaje, mensagem ~ grande, messaggio ~ grande, dimension ~ messaggio, 邮件过大, 邮件太大, 信件過大, 大小超过,
        слишком большой, размер ~ письма, attachment ~ too long, attachment ~ exceed, file ~ too large, file ~ too big,
        body too large, body too long, length ~ maximum, length ~ threshold, too much data, data size, mail ~ too long, message ~ too long
      `),
    ],
    unless: list(`
      header, headers, line too long, lines too long, line length, too many lines, mailbox ~ size,
      separate transaction, disk space, queue too long
    `),
    means: 'message_too_large',
  },
  {
    id: 'line-ends',
    words: ['bare lf', 'bare cr', 'bare newline', 'bare linefeed', 'bare line feed', 'bare carriage'],
    means: 'protocol_refused',
  },
  { id: 'line-ends-link', links: ['smtplf'], means: 'protocol_refused' },
  {
    id: 'smtputf8',
    words: list(`
      smtputf8, utf8smtp, internationalized, unicode address, unicode mailbox, utf 8 address, utf 8 mailbox,
      eight bit, 8bit mime, non ascii, eai ~ not, utf8 address, utf 8 ~ not supported, i18n, 8bit ~ not support,
      8bitmime, unicode mail, international unicode, non unicode, not support unicode, not offer smtputf8,
      not support ~ 8bitmime, 8bitmime not, 8bit data not, not support 8bit
    `),
    means: 'smtputf8_unsupported',
  },
  {
    // Nobody has seen the message yet: who sends it is taken for a sender of spam.
    id: 'spam-before-message',
    phases: BEFORE_MESSAGE,
    permanent: true,
    words: SPAM,
    unless: list(
      'junk command, your message, message ~ spam, spam abuse, reduce ~ spam, protect ~ spam, rfc, attachment, url, virus',
    ),
    means: 'blocked',
  },
  {
    id: 'spam-before-message-for-now',
    phases: BEFORE_MESSAGE,
    permanent: false,
    words: SPAM,
    unless: list(`
      policy, scanner, checker, filter ~ unavailable, filter ~ fail, filter ~ error, spam filter, junk command,
      reduce ~ spam, protect ~ spam, attachment, url, virus
    `),
    means: 'blocked',
  },
  {
    id: 'spam-policy-for-now',
    phases: BEFORE_MESSAGE,
    permanent: false,
    words: ['antispam', 'anti spam'],
    unless: ['block', 'denied', 'refused', 'banned'],
    means: 'policy_deferral',
  },
  {
    id: 'content',
    phases: AFTER_RCPT,
    words: [
      ...list(`
        non compliance, body refused, body reject, body denied, line limit, format restriction, bayes, fingerprint, offensive, forbidden words, forbidden word, banned word, keyword, keywords, file type, file extension,
        extension ~ not allowed, zip archive, archive, character set, character sets, charset, encoding, multipart, boundary,
        empty message, empty body, no body, no subject, suspicious link, suspicious links, phishing link, hyperlink,
        virenverdacht, virusverdacht, schadsoftware, logiciel malveillant, pourriel, contenuto, contenu, contenido, conteudo, inhalt,
        inhoud, tresc, содержим, 内容, virus, viruses, malware, infected, trojan, ransomware, phishing, phish,
        attachment, attachments, executable, banned content, content reject, content ~ reject, content denied, due ~ content, because ~ content,
        content ~ not accept, content filter, unacceptable content, content ~ block, content refused, message content,
        mail content, spam score, score too high, score ~ threshold, spam content, spamassassin, spam message,
        considered spam, detected spam, identified spam, classified spam, flagged spam, marked spam, looks like spam,
        appears ~ spam, spam detected, probable spam, probably spam, possible spam, spam probability,
        likely unsolicited, appears ~ unsolicited, likely spam, suspected spam, score ~ spam, spam ~ score, rfc 5322,
        rfc 2822, rfc 822, rfc5322, rfc2822, rfc822, not rfc, not compliant, not conform, not comply, non compliant,
        multiple addresses in from, date ~ future, date ~ past, mailing list messages, mailing list mail, auto replies, autoreply, autoreplies, bulk mail,
        missing ~ header, header missing, invalid header, header ~ invalid, duplicate header, multiple ~ header, from header,
        no ~ field given, missing ~ field, header error, malformed, bad header, message id header, message id ~ missing, message id ~ invalid,
        missing ~ message id, no ~ message id, invalid message id, bad message id, duplicate message id, headers too,
        header ~ size, header size, contains nul, line too long, too long line, line length, lines too long, 8 bit, mime, url ~ list, base64,
        spamming not allowed, macro, parse message, score ~ points, conteudo suspeito, contenido sospechoso,
        inhalt ~ abgelehnt, spamverdacht, spam verdacht, spam ~ eingestuft, スパム, 迷惑メール, 스팸, bulk advertising,
        malicious, cloudmark, message ~ harmful, security issue,
        detected ~ message ~ spam, thinks ~ spam, message ~ as spam, recurrent pattern, antispam, anti spam,
        mass mailer, report ~ spam, similar messages, content fingerprint, judged spam, dangerous, spamprofiler,
        enthalt ~ virus, anhang, piece jointe, virus ~ detecte, adjunto, 垃圾邮件, 垃圾郵件, 病毒, вирус, вложени,
        spam ~ erkannt, password protected, zip file, rar file, exe file, encrypted archive, encrypted file, encrypted zip,
        double extension, html tag, html tags, html only, html message, html messages, html mail, not well formed, spam signature,
        malformed ~ header, mime part, credential, als spam, comme spam, como spam, come spam, spam ~ detecte,
        как спам, похоже на спам, спам
      `),
    ],
    unless: list(`
      ip ~ spam, # ~ spam, your ip, client host, command line, spam source, sender ip, without ~ mime, name server,
      error in processing, no space left, not allocate, scanner ~ unavailable, scanner ~ not, scanner ~ fail, scanner ~ error, scanner ~ timeout, filter ~ unavailable,
      scan timed out, scanner ~ timed out, checker ~ down, checker ~ unavailable, scanner ~ down, filter ~ down, filter ~ fail,
      filter ~ not respond, filter ~ timeout, filter ~ timed out, filter ~ unreachable, scanner ~ unreachable, unable scan, not scan, scan ~ fail
    `),
    means: 'content_refused',
  },
  {
    id: 'spam-check-failed',
    phases: ['data', 'body', 'dot'],
    permanent: true,
    words: list(`
      spamcheck fail, spam check fail, reject ~ antivirus, block ~ antivirus, refused ~ antivirus,
      reject ~ spam filter, block ~ spam filter, refused ~ spam filter, denied ~ spam filter, reject ~ scanner,
      block ~ scanner, refused ~ scanner, denied ~ scanner
    `),
    unless: ['timeout', 'timed out', 'error', 'temporary', 'temporarily'],
    means: 'content_refused',
  },
  {
    id: 'loop',
    words: list(`
      loops back, loop back, points back, point back, mx problem, lowest numbered mx, mx ~ local host,
      remote host address local host, loop, loops, looping, too many hops, hop count, too many received,
      exceed ~ hops, hops exceed, schleife, boucle, bucle, circular, ciclo, already passed through, been here before,
      petla, петля, зацикл, too many servers, too many relays, maximum hop
    `),
    unless: ['loopback'],
    means: 'mail_loop',
  },
];
