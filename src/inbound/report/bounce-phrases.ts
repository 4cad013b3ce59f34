/** Phrases in bounces without a machine-readable part, in lower case. Taken from the servers' own templates. */

/** Openings so specific that they need no other sign. */
export const SIGNATURES: readonly string[] = [
  'this is the qmail-send program',
  'this message was created automatically by mail delivery software',
  'this is the mail system at host',
  'this is the postfix program at host',
  'this is the courier mail server',
  'this is a permanent error; i',
  '----- the following addresses had permanent fatal errors -----',
  '----- the following addresses had transient non-fatal errors -----',
  '----- transcript of session follows -----',
  'delivery has failed to these recipients or groups',
  'delivery has failed to these recipients or distribution lists',
  'your message did not reach some or all of the intended recipients',
  'the following recipient(s) could not be reached',
  'the following recipient(s) cannot be reached',
  'this is an automatically generated delivery status notification',
  'technical details of permanent failure',
  'technical details of temporary failure',
  'sorry, we were unable to deliver your message to the following address',
  'a message that you sent could not be delivered to one or more of its recipients',
  'diese nachricht wurde automatisch erzeugt. leider konnte',
  'not listed in domino directory',
  'not listed in public name & address book',
];

/** Ordinary words, which count only if the sender or the subject agrees. */
export const FAILURE_PHRASES: readonly string[] = [
  ...['could not be delivered', "couldn't be delivered", 'cannot be delivered', "can't be delivered"],
  ...['was not delivered', "wasn't delivered", 'not be delivered', 'unable to deliver', 'failed to deliver'],
  ...[
    'delivery failed',
    'delivery failure',
    'has failed',
    'undeliverable',
    'undelivered',
    'failed recipient',
  ],
  ...['permanent error', 'fatal error', 'returned to sender', 'returned mail', 'rejected your message'],
  ...['nicht zugestellt', 'konnte nicht', 'unzustellbar', 'zustellung fehlgeschlagen'],
  ...["n'a pas pu être", 'non remis', 'échec de la remise', 'échec de remise', 'impossible de remettre'],
  ...['no se ha podido entregar', 'no se pudo entregar', 'no entregado', 'error de entrega'],
  ...['impossibile recapitare', 'mancato recapito', 'non è stato possibile'],
  ...['não pôde ser entregue', 'não foi entregue', 'niet worden bezorgd', 'kon niet worden afgeleverd'],
  ...[
    '配信できません',
    '配信されません',
    '配信不能',
    '送信できません',
    '无法投递',
    '退信',
    '無法傳遞',
    '전송되지',
  ],
  ...['не доставлено', 'не может быть доставлено', 'nie został', 'nie można dostarczyć'],
];

export const BOUNCE_SUBJECTS: readonly string[] = [
  ...['undeliver', 'returned mail', 'mail delivery fail', 'delivery fail', 'delivery status notification'],
  ...['delivery notification', 'failure notice', 'failed delivery', 'mail system error', 'delivery error'],
  ...['delivery problem', 'could not be delivered', 'non delivery', 'non-delivery', 'nondeliverable'],
  ...[
    'message delivery',
    'mail delivery',
    'rejected',
    'bounce',
    'warning: message',
    'warning: could not send',
  ],
  ...['unzustellbar', 'zustellung', 'non remis', 'échec', 'no se puede entregar', 'mancato recapito'],
  ...['não foi possível entregar', 'onbestelbaar', 'kan inte levereras', 'niedostarczal', 'недоставлен'],
  ...['配信不能', '配信エラー', '送信できません', '退信', '投递失败', '無法傳遞', '배달되지'],
];

/** Phrases of a warning: the server keeps trying. */
export const DELAY_PHRASES: readonly string[] = [
  'this is a warning message only',
  'you do not need to resend your message',
  'do not need to resend',
  'will continue to be attempted',
  'has not yet been delivered',
  'has not been delivered yet',
  'still being retried',
  'delivery is delayed',
  'delivery to these recipients has been delayed',
  'has been delayed',
  'delivery attempts will continue',
  'will continue to try',
  'will continue trying',
  'will keep trying',
  'will be retried',
  'will retry for',
  'noch nicht zugestellt',
];

/** Marks that begin the returned message: the following text is Postrider's own and says nothing about the bounce. */
export const COPY_MARKS: readonly string[] = [
  '--- below this line is a copy of the message',
  '------ this is a copy of',
  '----- original message',
  '----- original message headers',
  '-----original message',
  '--- original message',
  '--- the original message',
  '------ original message',
  '----- message header follows',
  '--- undelivered message follows',
  'original message headers:',
  'original message follows',
  '--- returned message',
  '--- der kopf der ursprünglichen nachricht',
  '--- message en retour',
  'message headers follow',
  'received: from ',
];

/** The status code for phrases without a code, most certain first; null if they determine none. */
export const MEANINGS: readonly (readonly [string | null, readonly string[]])[] = [
  [
    '5.1.1',
    [
      ...['user unknown', 'unknown user', 'no such user', 'no mailbox here by that name', 'user not found'],
      ...[
        'recipient not found',
        'unknown recipient',
        'no such recipient',
        'invalid recipient',
        'unknown address',
      ],
      ...[
        'address does not exist',
        "address doesn't exist",
        'account does not exist',
        'mailbox does not exist',
      ],
      ...['user does not exist', "user doesn't exist", 'recipient does not exist', 'mailbox not found'],
      ...['no such mailbox', 'mailbox unavailable', 'not listed in domino directory', 'recipient unknown'],
      ...[
        'not listed in public name & address book',
        "this user doesn't have a",
        'unknown or invalid',
        'no such address',
      ],
      ...["address couldn't be found", 'address could not be found', "wasn't found at", 'was not found at'],
      ...['email address you entered couldn', 'e-mail account does not exist', 'unknown local part'],
      ...['empfänger unbekannt', 'unbekannter empfänger', 'benutzer unbekannt', 'existiert nicht'],
      ...['utilisateur inconnu', 'adresse inconnue', "n'existe pas", 'usuario desconocido', 'no existe'],
      ...['utente sconosciuto', 'usuário desconhecido', 'onbekende gebruiker', 'ユーザーが見つかりません'],
      ...['存在しません', '用户不存在', '收件人不存在', 'пользователь не найден'],
    ],
  ],
  [
    '5.2.1',
    [
      'account disabled',
      'account is disabled',
      'mailbox disabled',
      'account is inactive',
      'mailbox is inactive',
    ],
  ],
  [
    '5.2.2',
    [
      ...[
        'mailbox full',
        'mailbox is full',
        'over quota',
        'overquota',
        'quota exceeded',
        'exceeded its quota',
      ],
      ...[
        'exceeded the quota',
        'out of storage',
        'exceeded storage',
        'mailbox has exceeded',
        'postfach ist voll',
      ],
      ...['boîte est pleine', 'buzón lleno', 'casella piena', '容量', 'mailbox size limit'],
    ],
  ],
  [
    '5.1.2',
    [
      ...['host unknown', 'unknown host', "couldn't find any host", 'host not found', 'domain not found'],
      ...['unrouteable domain', 'unrouteable mail domain', 'domain does not exist', 'no such domain'],
      ...[
        'name or service not known',
        "domain couldn't be found",
        'non-existent hosts',
        "couldn't find a mail",
      ],
    ],
  ],
  [
    '5.3.4',
    [
      'message too large',
      'message is too large',
      'message too big',
      'message size exceeds',
      'exceeds the maximum',
      'exceeds size',
    ],
  ],
  ['5.4.6', ['too many hops', 'mail loop', 'routing loop', 'forwarding loop']],
  [
    '5.4.7',
    [
      ...[
        'retry timeout exceeded',
        'retry time not reached',
        'too long in the queue',
        'in the queue too long',
      ],
      ...['delivery time expired', 'message expired', 'could not be delivered for', 'i gave up'],
      ...['connection timed out', "wasn't able to establish an smtp connection", 'connection refused'],
    ],
  ],
  [
    '5.7.1',
    [
      ...['relaying denied', 'relay access denied', 'policy', 'not authorized', 'access denied', 'blocked'],
      ...['content filter', 'considered spam', 'as spam', 'blacklist', 'blocklist', 'virus'],
    ],
  ],
  [
    null,
    [
      'unrouteable address',
      'unroutable address',
      'mailing to remote domains not supported',
      'permission denied',
    ],
  ],
];
