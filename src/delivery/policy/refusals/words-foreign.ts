/**
 * Words in languages other than English, except about mailboxes (phrases-foreign.ts). They come before the English words:
 * the foreign words of a reply name the cause, while English terms (spam, relay, IP) occur with any cause.
 */
import { each, NOT_THERE, SENDER } from './phrases.ts';
import { AFTER_MESSAGE, AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

const REFUSED = list(`
  verweigert, abgelehnt, nicht erlaubt, nicht gestattet, nicht zulassig, interdit, interdite, refuse, refusee,
  non autorise, no permitido, no permitida, no autorizado, no autorizada, denegada, denegado, rechazado, prohibido, nao permitido, nao permitida, nao autorizado, negado,
  recusado, proibido, non consentito, non autorizzato, negato, rifiutato, vietato, niet toegestaan, geweigerd, verboden,
  zabroniony, zabronione, niedozwolony, niedozwolone, odrzucony, odrzucone, odmowa, zakazan, zakazano, odmitnut,
  neni povolen, neni povoleno, запрещен, запрещена, запрещено, отклонен, отклонено, не разрешен, не разрешена, izni yok,
  izin yok, izin verilmiyor, yasak, reddedildi, tillats inte, ikke tilladt, ikke tillatt, nem engedelyezett
`);
const OUR_SIDE = list(`
  ip, #, ip adresse, mailserver, ihr server, votre serveur, votre ip, adresse ip, su servidor, su ip, direccion ip, seu ip,
  seu servidor, endereco ip, il tuo ip, vostro ip, indirizzo ip, vostro server, uw ip, ip adres, uw server, serwer,
  twoj serwer, adres ip, vas server, ip adresa, ваш ip, ваш сервер, ip адрес, ip adresiniz, sunucunuz, ip地址, ipアドレス, 接続元,
  发信ip, 服务器ip, ip 주소, 발송서버
`);
const BLOCKED = list(`
  gesperrt, blockiert, geblockt, abgelehnt, abgewiesen, bloque, bloquee, rejete, rejetee, interdit, interdite, bloqueado,
  bloqueada, rechazado, rechazada, bloqueio, rejeitado, rejeitada, bloccato, bloccata, rifiutato, geblokkeerd, geweigerd,
  zablokowany, zablokowana, zablokowano, zablokowane, odrzucony, zablokovana, zablokovan, blokovana, blokovan, odmitnuta,
  заблокирован, заблокирована, блокирован, отклонен, запрещен, engellendi, engellenmis, engellenmistir, yasakli, 拒否,
  ブロック, 遮断, 規制, 被封, 被拒绝, 被屏蔽, 被阻止, 封禁, 차단, 거부, blokkerad, sparrad, blokeret, tiltott, blocat
`);
const RATE = list(`
  zu viele ~ nachrichten, zu viele ~ mails, zu viele ~ verbindungen, zu haufig, zu schnell, trop vite, demasiado rapido, muito rapido, troppo velocemente, te snel, zbyt szybko, sendelimit, versandlimit,
  limit ~ uberschritten, limit ~ erreicht, trop de messages, trop de connexions, trop de courriels, limite ~ depassee,
  limite ~ atteinte, demasiados mensajes, demasiados correos, demasiadas conexiones, limite ~ superado, superado ~ limite,
  limite ~ excedido, excedido ~ limite, limite ~ mensajes, limite ~ envios, muitas mensagens, muitas conexoes,
  limite ~ mensagens, excedeu ~ limite, limite ~ excedida, limite ~ atingido, troppi messaggi, troppe connessioni,
  limite ~ superato, superato ~ limite, limite ~ raggiunto, limite ~ invio, te veel berichten, te veel verbindingen,
  te veel mails, limiet ~ overschreden, limiet ~ bereikt, przekroczono limit, przekroczony limit, limit ~ przekroczony,
  limit ~ wyslanych, limit ~ wiadomosci, zbyt wiele wiadomosci, zbyt wiele polaczen, zbyt duzo wiadomosci,
  zbyt duzo polaczen, za duzo wiadomosci, zbyt czesto, prekrocen limit, prekrocen pocet, limit ~ prekrocen,
  prilis mnoho zprav,
  prilis mnoho spojeni, prilis mnoho pripojeni, превышен лимит, лимит ~ превышен, превышено количество, превышено число,
  слишком много писем, слишком много соединении, слишком много сообщении, слишком часто, çok fazla mesaj,
  çok fazla baglantı,
  gonderim limiti, limit asıldı, limiti asıldı, 送信数, 送信制限, 通数制限, 接続数, 同時接続, 频率过高, 发送过于频繁, 频率限制, 超出限制, 发送上限, 连接过多,
  發送頻率, 발송 한도, 발송량, 전송 한도, 너무 많은 메일, 동시 접속, for manga meddelanden, for mange meddelelser
`);
const SIZES = list(`
  große, groesse, gross, taille, volumineux, tamano, tamanho, dimensione, dimensioni, grootte, rozmiar, rozmiaru, velikost,
  размер, размера, boyut, boyutu, サイズ, 大小, 크기, mb, bytes, bajtow, bajtu
`);
const STORES = list(`
  postfach, speicher, speicherplatz, miejsca, boite, buzon, caixa, casella, postvak, skrzynka, skrzynki, skrzynce, schranka,
  schranky,
  ящик, ящика, ящике, kutusu, メールボックス, 邮箱, 信箱, 메일함, 편지함, almacenamiento, armazenamento, stockage
`);

export const FOREIGN: readonly Entry[] = [
  {
    id: 'greylisting-abroad',
    words: list(`
      szara lista, szarej liscie, szara liste, сером списке, сером листе, серыи список, lista cinza, gri liste, gri listede,
      seda listina, sede listine, graue liste, grauen liste, grijze lijst, グレーリスト, 그레이리스트, erster zustellversuch,
      premiere tentative, primer intento, primeira tentativa, primo tentativo, pierwsza proba, prvni pokus, первая попытка
    `),
    means: 'greylisted',
  },
  {
    id: 'relay-abroad',
    phases: ['mail', ...AFTER_RCPT],
    words: [
      ...each(
        ['relay', 'relaying', 'relais', 'weiterleitung', 'reenvio', 'retransmision', 'retransmissao'],
        REFUSED,
      ),
      ...each(['inoltro', 'doorsturen', 'przekazywanie', 'przesylanie', 'preposilani'], REFUSED),
      ...each(['пересылка', 'пересылку', 'ретрансляция', 'ретрансляцию', 'релеи', 'транзит'], REFUSED),
      ...list(`
        no se permite ~ relay, no se permite ~ reenvio, nao e permitido ~ relay, brak zgody ~ relay, keine ~ relay,
        brak zgody ~ przekazywanie, keine weiterleitung, kein weiterleiten, pas de relais, 中継, 拒绝中继, 禁止中继, 禁止转发, 拒绝转发, 拒絕轉發,
        릴레이, 중계, domain ~ nicht lokal, domaine ~ non gere, domaine ~ pas gere, dominio ~ no local,
        dominio ~ no ~ alojado, dominio ~ nao ~ local, dominio ~ non ~ locale, domena ~ nie jest obslugiwana,
        domena ~ nieobslugiwana, domena neni, домен ~ не обслуживается, 不是本地域名, 非本地域名
      `),
    ],
    unless: ['offenes relay', 'open relay'],
    means: 'domain_not_served',
  },
  {
    id: 'reverse-dns-abroad',
    words: list(`
      kein ~ reverse, ruckwarts ~ auflosung, resolution inverse, resolucion inversa, dns inverso, dns reverso,
      risoluzione inversa, brak rekordu ptr, odwrotny dns, odwrotnego dns, rekord odwrotny, reverzni zaznam, reverzni dns,
      обратная запись, обратнои записи, обратныи dns, обратная зона, ters dns, ters kayıt, 逆引き, 反向解析, 反解, 역방향
    `),
    means: 'reverse_dns_missing',
  },
  {
    id: 'login-abroad',
    phases: AFTER_RCPT,
    words: list(`
      anmeldung erforderlich, bitte ~ anmelden, wymagana autoryzacja, wymagane uwierzytelnienie, wymaga uwierzytelnienia,
      wymaga autoryzacji, требуется авторизация, требуется аутентификация, kimlik dogrulama gerekli, vyzadovana autentizace,
      vyzaduje overeni, 인증이 필요, 認証が必要, 需要认证, 需要身份验证, authenticatie vereist
    `),
    unless: ['spf', 'dkim', 'dmarc'],
    means: 'domain_not_served',
  },
  {
    id: 'tls-abroad',
    words: list(`
      verschlusselt ~ ubertragung, verschlusselte ubertragung, verschlusselung ~ erforderlich, tls ~ erforderlich,
      chiffrement ~ requis, chiffrement ~ obligatoire, tls ~ obligatoire, cifrado ~ requerido, cifrado ~ obligatorio,
      tls ~ requerido, criptografia ~ obrigatoria, tls ~ obrigatorio, cifratura ~ obbligatoria, tls ~ obbligatorio,
      tls ~ richiesto, versleuteling ~ vereist, tls ~ vereist, wymagane szyfrowanie, szyfrowanie ~ wymagane, tls ~ wymagane,
      vyzadovano sifrovani, требуется шифрование, sifreleme gerekli, 暗号化 ~ 必要, 需要加密, 必须加密, 암호화
    `),
    unless: [...STORES],
    means: 'authentication_failed',
    about: 'our_address',
  },
  {
    id: 'too-many-recipients-abroad',
    words: list(`
      zu viele empfanger, trop de destinataires, demasiados destinatarios, muitos destinatarios, troppi destinatari,
      te veel ontvangers, zbyt wielu odbiorcow, zbyt duzo odbiorcow, za duzo odbiorcow, prilis mnoho prijemcu,
      слишком много получателеи, превышено ~ получателеи, çok fazla alıcı, 宛先が多すぎ, 宛先数, 收件人过多, 收件人太多, 收件人数, 받는사람이 너무,
      수신자가 너무, 수신자 수
    `),
    unless: ['inconnus', 'desconocidos', 'desconhecidos', 'sconosciuti', 'unbekannt', 'unknown', 'invalid'],
    means: 'too_many_recipients',
  },
  {
    id: 'too-large-abroad',
    phases: ['mail', ...AFTER_RCPT],
    words: [
      ...each(
        SIZES,
        list(`
          uberschreitet, uberschritten, depasse, depassee, excede, excedido, excedida, supera, superato, superata,
          superiore, przekracza, przekroczony, przekroczono, prekracuje, prekrocena, превышает, превышен, asıyor, buyuk, 超,
          초과
        `),
      ),
      ...each(
        list(
          'uberschreitet, depasse, excede, excedeu, supera, przekracza, prekracuje, превышает, przekroczono, 超过, 超過',
        ),
        SIZES,
      ),
      ...list(`
        nachricht ~ zu groß, mail ~ zu groß, nachricht zu lang, message trop volumineux, message trop gros,
        message trop lourd,
        mensaje demasiado grande, mensagem muito grande, messaggio troppo grande, bericht ~ te groot, wiadomosc ~ zbyt duza,
        wiadomosc ~ za duza, zprava ~ prilis velka, письмо ~ слишком большое, сообщение ~ слишком большое,
        mesaj ~ çok buyuk, 大きすぎ, 过大, 太大, 용량이 큰
      `),
    ],
    unless: STORES,
    means: 'message_too_large',
  },
  {
    id: 'rate-abroad',
    words: RATE,
    unless: [...SIZES, ...STORES, 'mail auf ~ server', 'quota', 'kontingent'],
    means: 'rate_limited',
  },
  {
    id: 'not-wanted-abroad',
    phases: AFTER_RCPT,
    permanent: true,
    words: list(`
      empfanger nimmt keine ~ absender, empfanger ~ sie blockiert, empfanger ~ absender gesperrt, empfanger mochte keine,
      destinataire n accepte pas ~ expediteur, destinataire n accepte pas ~ messages, destinataire ~ vous a bloque,
      destinatario no acepta ~ remitente, destinatario ~ ha bloqueado, destinatario nao aceita, destinatario bloqueou,
      destinatario non accetta, destinatario ha bloccato, ontvanger accepteert geen, ontvanger heeft ~ geblokkeerd,
      odbiorca nie przyjmuje, odbiorca zablokowal, prijemce neprijima, prijemce zablokoval, получатель не принимает,
      получатель заблокировал, alıcı ~ engelledi, 수신거부, 수신 거부, 受信拒否設定, 收件人拒收, 收件人拒绝接收
    `),
    unless: ['spam', '迷惑', '스팸', 'ip', '#'],
    means: 'sender_refused',
  },
  {
    id: 'content-abroad',
    phases: AFTER_MESSAGE,
    words: list(`
      virenscanner ~ abgelehnt, virenfilter ~ abgelehnt, spamfilter ~ abgelehnt, inhaltsfilter ~ abgelehnt,
      virenscanner ~ blockiert, spamfilter ~ blockiert, filtre ~ rejete, filtro ~ rechazado, filtro ~ rechazo,
      uznana za spam, uznano za spam, jako spam, spam olarak, als spam, comme spam, como spam, come spam, ritenuto spam,
      message ~ indesirable, courrier indesirable, courriel indesirable, correo no deseado, mensaje no deseado, mensagem indesejada, indesejado,
      messaggio indesiderato, posta indesiderata, unerwunschte werbung, unerwunschte mail, ongewenste mail, ongewenst, niechciana, nevyzadana, нежелательн, нежелательное,
      contener spam, conter spam, wirus, wirusa, wirusy, virem, вирус, вирусы, вируса, ウイルス, ウィルス, 바이러스, 病毒, dateianhang,
      dateianhange, anhang, anhange, piece jointe, pieces jointes, adjunto, adjuntos, anexo, anexos, allegato, allegati,
      bijlage, bijlagen, zalacznik, zalaczniki, zalacznika, priloha, prilohu, вложение, вложения, ek dosya, eklenti,
      添付ファイル, 附件,
      첨부, 첨부파일, 스팸메일, 스팸 메일, spamverdacht, 迷惑メール, 垃圾邮件, 垃圾郵件, tresc wiadomosci, obsah zpravy, содержание письма,
      содержимое письма, содержимое сообщения
    `),
    means: 'content_refused',
  },
  {
    id: 'blocked-abroad',
    words: [
      ...each(OUR_SIDE, BLOCKED),
      '차단된 ip',
      ...each(['blockiert', 'gesperrt', 'bloqueo', 'bloqueio', 'zablokowano', 'заблокирован'], ['ip', '#']),
      ...list(`
        wegen spamversands gesperrt, spamversand, spamversands, envio de spam, envoi de spam, invio di spam,
        wysylanie spamu, rozsylanie spamu, рассылка спама, рассылку спама, spam gonderimi
      `),
    ],
    unless: list('absender, absenderdomain, remitente, remetente, expediteur, mittente, отправителя, 发件人'),
    means: 'blocked',
  },
  {
    id: 'busy-abroad',
    words: list(`
      server ~ ausgelastet, server ~ uberlastet, serveur ~ surcharge, serveur ~ occupe, servidor ~ ocupado,
      servidor ~ sobrecargado, servidor ~ saturado, servidor ~ sobrecarregado, server ~ sovraccarico, server ~ occupato,
      server ~ overbelast, serwer ~ przeciazony, serwer ~ zajety, server ~ pretizen, сервер ~ перегружен, сервер ~ занят,
      sunucu ~ mesgul, sunucu ~ yogun, 混雑, 混み合, 服务器忙, 服务器繁忙, 서버가 혼잡, 혼잡, 과부하
    `),
    means: 'host_busy',
  },
  {
    id: 'maintenance-abroad',
    words: list(`
      wartung, wartungsarbeiten, mantenimiento, manutencao, manutenzione, onderhoud, konserwacja, przerwa techniczna,
      prace techniczne, udrzba, udrzby, техническое обслуживание, технические работы, обслуживание сервера, bakım,
      メンテナンス, 维护, 維護,
      점검
    `),
    unless: STORES,
    means: 'host_not_accepting',
    final: false,
  },
  {
    id: 'routing-abroad',
    phases: ['mail', ...AFTER_RCPT],
    words: list(`
      zielserver, server ~ nicht erreichbar, server ~ antwortet nicht, serveur ~ injoignable, serveur ~ ne repond pas,
      servidor ~ no responde, servidor ~ nao responde, server ~ non risponde, server ~ reageert niet,
      serwer ~ nie odpowiada,
      server neodpovida, сервер ~ не отвечает, sunucu ~ yanıt vermiyor, no se puede conectar, impossible ~ joindre,
      impossible ~ connecter, impossibile connettersi, impossibile contattare, nie mozna polaczyc, nelze se pripojit,
      не удалось подключиться, не удалось соединиться, 応答しません, 接続できません, 无法连接, 連線失敗, 연결할 수 없, 응답이 없
    `),
    unless: ['wartung', 'wartungsarbeiten'],
    means: 'routing_trouble',
  },
];

/** What no server says at the greeting of anything but itself. */
export const FOREIGN_AT_GREETING: readonly Entry[] = [
  {
    id: 'login-abroad-at-once',
    phases: ['mail', ...GREETING],
    words: list(`
      anmeldung erforderlich, wymagana autoryzacja, wymagane uwierzytelnienie, authenticatie vereist, 인증이 필요, 認証が必要
    `),
    unless: ['spf', 'dkim', 'dmarc'],
    means: 'host_refused_service',
  },
];

const DOMAIN = list(`
  dominio, domane, empfangerdomain, zieldomain, domein, domena, domeny, domene, domenu, domenie, domen, domanen,
  домен, домена, домены, доменное имя, ドメイン, 域名, 網域, 도메인, alan adı, alan adına, etki alanı
`);
/** German; French and English, too, once "domaine" has lost its ending. */
const GERMAN_OR_FRENCH_DOMAIN = ['domain'];
const DOMAIN_OF_ANY_LANGUAGE = [...DOMAIN, ...GERMAN_OR_FRENCH_DOMAIN];
/** "Unknown user in this domain": here the user is not there. */
const MAILBOX_OF_DOMAIN = list(`
  benutzer, empfanger, postfach, utilisateur, boite, usuario, buzon, cuenta, caixa, conta, utente, casella, gebruiker,
  ontvanger, postvak, uzytkownik, skrzynka, konto, uzivatel, schranka, пользователь, ящик, 用户, 邮箱, ユーザ, 사용자, kullanıcı,
  anvandaren, brevlada
`);
const HERE = list(`
  server, servern, serwer, serwerze, serveru, serwera, сервер, сервере, сервером, сервера, サーバ, 服务器, 伺服器, 系统, 서버, sunucu,
  sunucuda, sunucuya, sunucumuzda, system, sistema, systeme, systemie, plataforma, plateforme, piattaforma, plattform,
  hier, ici, aqui, qui, aca, tu, tutaj, zde, здесь, у нас, här, har, burada, bei uns, chez nous, bij ons, u nas, hos oss,
  da noi, nesta maquina, questa macchina, esta maquina
`);
const NOT_SERVED = list(`
  nicht gehostet, nicht verwaltet, nicht bedient, nicht eingerichtet, nicht konfiguriert, nicht betreut, nicht zugelassen,
  nicht ~ gehostet, nicht ~ verwaltet, nicht ~ eingerichtet, pas heberge, pas gere, pas configure, pas desservi,
  pas ~ heberge, pas ~ gere, pas pris en charge, non heberge, non gere, no alojado, no ~ alojado, no configurado,
  no ~ configurado, no gestionado, no pertenece, no atendido, nao hospedado, nao ~ hospedado, nao configurado,
  nao ~ configurado, nao atendido, nao pertence, non ospitato, non ~ ospitato, non gestito, non ~ gestito,
  non configurato, non ~ configurato, non servito, non appartiene, niet gehost, niet ~ gehost, niet geconfigureerd,
  niet beheerd, niet ~ beheerd, nieobslugiwana, nie jest obslugiwana, nie obslugiwana, nie ~ skonfigurowana,
  nie jest hostowana, nie nalezy, neobsluhujeme, neni ~ obsluhovana, neobsluhovana, nehostovana, neni ~ hostovana,
  neni ~ nastavena, не обслуживается, не обслуживаем, не размещен, не размещён, не настроен, не поддерживается, не принадлежит,
  barındırılmıyor, hizmet verilmiyor, tanımlı degil, 取り扱って, 管理して, ホストされて, 担当して, 未托管, 不托管, 未配置,
  不属于, 不屬於, 호스팅되지, 관리하지, 등록되지 않은, betjanas inte, hanteras inte, hostas inte
`);
const ABSENT_IN_GERMAN_OR_FRENCH = list(`
  existiert ~ nicht, existiert nicht, gibt es ~ nicht, nicht vorhanden, nicht gefunden, nicht bekannt, unbekannt, n existe,
  pas trouve, inconnu, introuvable, inexistant
`);
const ABSENT = [
  ...NOT_THERE,
  ...list(`
    no se encuentra,
    no se encontro, no esta, nao foi encontrado, nao consta, non presente, non risulta, bestaat ~ niet, niet gevonden,
    nie ~ istnieje, nie ~ znaleziona, nie znaleziono, nieznana, neznama, nenalezena, не ~ существует, не найдена, не известен,
    отсутствует, 存在しない, 見つかりません, 没有, 找不到, 없습니다, 찾을 수 없, bulunmuyor, bulunamadı, yok, tanınmıyor, finns inte,
    finns ej, hittades inte, okand
  `),
];

/**
 * Words about the recipient's domain in languages other than English. A domain that "does not exist on this server" is not
 * served there, but may exist. A domain that "does not exist" is not in DNS.
 */
export const DOMAIN_FOREIGN: readonly Entry[] = [
  {
    id: 'domain-not-served-abroad',
    phases: AFTER_RCPT,
    words: [
      ...each(DOMAIN_OF_ANY_LANGUAGE, NOT_SERVED),
      ...list(`
        nicht ~ fur diese domain, keine annahme ~ domain, keine mails fur diese domain, keine nachrichten fur diese domain, no gestiona ~ dominio,
        no aloja ~ dominio, no atiende ~ dominio, no acepta ~ dominio, no recibe ~ dominio, nao hospeda ~ dominio,
        nao atende ~ dominio, nao aceita ~ dominio, non gestisce ~ dominio, non ospita ~ dominio, non accetta ~ dominio,
        n heberge pas ~ domaine, ne gere pas ~ domaine, n accepte pas ~ domaine, ne dessert pas ~ domaine,
        beheert ~ domein niet, nie obsluguje ~ domeny, neobsluhuje ~ domenu, не обслуживает ~ домен,
        не принимает ~ домен
      `),
    ],
    unless: [...SENDER, 'dns', 'spf', '#'],
    means: 'domain_not_served',
  },
  {
    id: 'domain-not-on-this-server-abroad',
    phases: AFTER_RCPT,
    words: [
      ...each(DOMAIN, ABSENT),
      ...each(GERMAN_OR_FRENCH_DOMAIN, ABSENT_IN_GERMAN_OR_FRENCH),
      ...list(
        'ドメイン ~ サーバ ~ 存在, 域名 ~ 服务器 ~ 不存在, 域名 ~ 服务器 ~ 未, 网域 ~ 伺服器 ~ 不存在, 도메인 ~ 서버 ~ 존재하지, 不存在 ~ 域名, 没有 ~ 域名, 存在しない ~ ドメイン, 존재하지 않는 도메인, 없는 도메인',
      ),
    ],
    also: HERE,
    unless: [
      ...SENDER,
      ...each(MAILBOX_OF_DOMAIN, DOMAIN_OF_ANY_LANGUAGE),
      'dns',
      'spf',
      'mx',
      'helo',
      'ehlo',
      '#',
    ],
    means: 'domain_not_served',
  },
  {
    id: 'recipient-domain-abroad',
    phases: AFTER_RCPT,
    permanent: true,
    words: [...each(DOMAIN, ABSENT), ...each(GERMAN_OR_FRENCH_DOMAIN, ABSENT_IN_GERMAN_OR_FRENCH)],
    unless: [...SENDER, ...each(MAILBOX_OF_DOMAIN, DOMAIN_OF_ANY_LANGUAGE), 'spf', 'helo', 'ehlo', '#'],
    means: 'recipient_domain_invalid',
  },
];
