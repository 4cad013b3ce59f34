/**
 * Words in languages other than English, except about mailboxes (phrases-foreign.ts). They come before the English words:
 * the foreign words of a reply name the cause, while English terms (spam, relay, IP) occur with any cause.
 */
import { each } from './phrases.ts';
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
      ...each(['blockiert', 'gesperrt', 'bloqueo', 'bloqueio', 'zablokowano', 'заблокирован'], ['ip', '#']),
      ...list(`
        wegen spamversands gesperrt, spamversand, spamversands, envio de spam, envoi de spam, invio di spam,
        wysylanie spamu, rozsylanie spamu, рассылка спама, рассылку спама, spam gonderimi
      `),
    ],
    unless: [
      'absender',
      'absenderdomain',
      'remitente',
      'remetente',
      'expediteur',
      'mittente',
      'отправителя',
      '发件人',
    ],
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
