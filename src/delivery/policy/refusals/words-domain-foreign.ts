/**
 * Words about the recipient's domain in languages other than English. A domain that "does not exist on this server" is not
 * served there, but may exist. A domain that "does not exist" is not in DNS.
 */
import { each, NOT_THERE, SENDER } from './phrases.ts';
import { AFTER_RCPT, type Entry } from './table.ts';
import { list } from './words.ts';

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
