/** Phrases about mailboxes in languages other than English. Their syntax is in words.ts. */
import { each } from './phrases.ts';
import { list } from './words.ts';

const GERMAN = list(
  'empfanger, benutzer, postfach, mailbox, adresse, empfangeradresse, konto, mailadresse, teilnehmer',
);
const GERMAN_STORAGE = list(
  'speicher, speicherplatz, speichervolumen, speicherkontingent, speicherlimit, speichergrenze, postfachgroße',
);
const FRENCH = list('utilisateur, destinataire, boite, compte, bal, adresse ~ destinataire');
const SPANISH = list('usuario, buzon, cuenta, destinatario, direccion, casilla');
const PORTUGUESE = list('usuario, caixa, conta, destinatario, endereco, caixa postal');
const ITALIAN = list('utente, casella, destinatario, indirizzo, account, mailbox');
const DUTCH = list('gebruiker, ontvanger, mailbox, postvak, adres, account, postbus');
const POLISH = list('uzytkownik, odbiorca, konto, skrzynka, adres, adresat');
const RUSSIAN = list('пользователь, пользователя, ящик, адрес, получатель, получателя, аккаунт');
const CZECH = list('uzivatel, uzivatele, prijemce, schranka, adresa, ucet, konto');
const SWEDISH = list(
  'anvandare, anvandaren, mottagare, mottagaren, adressen, adress, kontot, brevlada, brevladan, mottaker, mottakeren, modtager, modtageren, bruger, brugeren, bruker, brukeren',
);
/** Languages of which few replies are known: whole sentences about a user, recipient or address that is not there. */
const UNKNOWN_ELSEWHERE = list(`
  kayttajaa ei loydy, kayttajaa ei ole, vastaanottajaa ei loydy, osoitetta ei ole, tuntematon vastaanottaja,
  korisnik ne postoji, adresa ne postoji, primatelj ne postoji, uporabnik ne obstaja, naslov ne obstaja,
  utilizatorul nu exista, adresa nu exista, destinatar necunoscut, потребителят не съществува, користувача не знайдено,
  користувач не існує, адреса не існує, pouzivatel neexistuje, prijemca neexistuje, vartotojas nerastas,
  kasutajat ei leitud, lietotajs nav atrasts, χρηστης δεν υπαρχει, παραληπτης δεν υπαρχει, αγνωστος παραληπτης,
  المستخدم غير موجود, المستلم غير موجود, العنوان غير موجود, המשתמש לא קיים, הנמען לא קיים, nguoi dung khong ton tai,
  dia chi khong ton tai, tai khoan khong ton tai, khong tim thay nguoi dung, ไม่พบผู้ใช้, ไม่มีผู้ใช้, pengguna tidak ditemukan,
  pengguna tidak ada, penerima tidak ditemukan, alamat tidak ditemukan, usuari no existeix, erabiltzailea ez da existitzen
`);
const TURKISH = list('kullanıcı, alıcı, hesap, hesabı, adres, adresi, posta kutusu');
const KOREAN = list('사용자, 수신자, 받는사람, 받는 사람, 계정, 주소, 메일함');
const CHINESE = list('用户, 收件人, 邮箱, 账号, 帐号, 账户, 帐户, 使用者, 收件者, 信箱, 帳號, 地址');
const JAPANESE = list('ユーザ, ユーザー, 受信者, メールボックス, アカウント, 宛先, アドレス');

/** Romance languages say most words with -o of a man and -a of a box. */
function both(stems: string): readonly string[] {
  return list(stems).flatMap((stem) => [`${stem}o`, `${stem}a`]);
}

export const UNKNOWN_MAILBOX_FOREIGN = [
  ...UNKNOWN_ELSEWHERE,
  ...each(
    FRENCH,
    list(`
      inconnu, inconnue, invalide, n existe pas, n existe plus, inexistant, inexistante, introuvable, supprime,
      supprimee, pas trouve, pas trouvee, pas ~ trouve, pas ~ trouvee, pas valide, pas reconnu, pas reconnue, n est pas connu, n est plus valide
    `),
  ),
  ...list(
    'adresse ~ inconnue, adresse ~ introuvable, adresse ~ n existe, aucun ~ utilisateur, aucune ~ boite, aucun ~ compte, aucun ~ destinataire, pas de boite',
  ),
  ...each(
    GERMAN,
    list(`
      unbekannt, nicht gefunden, nicht bekannt, existiert nicht, existiert hier nicht, nicht vorhanden, ungultig,
      geloscht, nicht mehr, gibt es nicht, nicht ermittelt, existiert ~ nicht, nicht ~ eingerichtet, nicht angelegt,
      nicht registriert, nicht gultig, unzustellbar, fehlerhaft
    `),
  ),
  ...list(`
    unbekannter empfanger, unbekannter benutzer, kein ~ postfach, kein ~ benutzer, unbekannte adresse,
    kein ~ empfanger, unternehmen verlassen, nicht mehr ~ tatig, nicht mehr ~ beschaftigt, ungultige empfangeradresse
  `),
  ...each(SPANISH, [
    'no existe',
    'ya no existe',
    'inexistente',
    'no se encuentra',
    'no se encontro',
    ...both(`
      desconocid, no encontrad, no ha sido encontrad, no fue encontrad, no pudo ser encontrad, no valid, no es valid, invalid, eliminad, borrad, no registrad,
      no esta registrad, incorrect
    `),
  ]),
  ...list(
    'no existe ~ usuario, no existe ~ persona, no existe ~ cuenta, no existe ~ buzon, no existe ~ direccion, no hay ~ usuario, no hay ~ buzon, no hay ~ cuenta',
  ),
  ...each(PORTUGUESE, [
    'nao existe',
    'inexistente',
    'nao foi encontrado',
    'nao foi encontrada',
    'nao consta',
    ...both(`
      nao encontrad, nao localizad, nao cadastrad, nao esta cadastrad, nao registrad, desconhecid, invalid, excluid,
      removid, incorret
    `),
  ]),
  ...each(ITALIAN, [
    'non esiste',
    'inesistente',
    'non risulta',
    'non presente',
    'non ~ trovato',
    'non ~ trovata',
    ...both(`
      sconosciut, non trovat, non e valid, non valid, errat, cancellat, eliminat, rimoss,
      non registrat
    `),
  ]),
  ...list('nessuna casella, nessun destinatario, nessun account'),
  ...each(
    DUTCH,
    list(
      'onbekend, bestaat niet, bestaat ~ niet, niet gevonden, niet ~ gevonden, ongeldig, verwijderd, niet bekend, niet geldig',
    ),
  ),
  ...list(
    'bestaat geen ~ mailbox, geen ~ mailbox, geen ~ gebruiker, geen ~ ontvanger, bestaat geen ~ gebruiker',
  ),
  ...each(
    POLISH,
    list(`
      nie istnieje, nie ~ istnieje, nieznany, nieznana, nieznane, nie znaleziono, nie ~ znaleziony, nie ~ znaleziona,
      nie ~ znalezione, usuniety, usunieta, usuniete, nieprawidlowy, nieprawidlowa, bledny, bledna
    `),
  ),
  ...each(
    RUSSIAN,
    list(`
      не найден, не существует, неизвестен, не зарегистрирован, удален, удалена, отсутствует, не обнаружен, недеиствителен,
      недеиствительный, указан неверно
    `),
  ),
  ...each(
    CZECH,
    list(`
      neexistuje, nenalezen, nenalezena, neznamy, neznama, neplatny, neplatna, nebyl ~ nalezen, nebyla ~ nalezena, smazan,
      smazana, neni znam
    `),
  ),
  ...each(
    SWEDISH,
    list(`
      finns inte, finns ej, okand, okant, hittades inte, ogiltig, existerar inte, saknas, findes ikke, ukendt, ukjent,
      finnes ikke, eksisterer ikke, borttagen
    `),
  ),
  ...each(
    TURKISH,
    list('bulunamadı, bulunmamaktadır, bulunmuyor, mevcut degil, yok, gecersiz, tanınmıyor, silinmis'),
  ),
  ...each(KOREAN, list('존재하지, 없습니다, 없음, 찾을 수 없, 잘못된, 알 수 없, 삭제')),
  ...each(
    CHINESE,
    list('不存在, 未找到, 找不到, 无效, 無效, 已删除, 被删除, 有误, 错误, 錯誤, 未注册, 不正确'),
  ),
  ...each(
    JAPANESE,
    list(
      '存在しません, 存在いたしません, 存在しておりません, おりません, 見つかりません, 不明, 削除, 存在しない, 正しくありません, 誤り, 登録されて',
    ),
  ),
  ...list(`
    gibt es ~ nicht, existiert nicht mehr, destinatario no es valido, destinatario no es valida, direccion no es valida,
    destinatario nao e valido, endereco nao e valido, destinatario non e valido, indirizzo non e valido,
    adres ~ nieprawidlowy, adres ~ niepoprawny, adres ~ bledny, неверныи адрес, неправильныи адрес,
    nicht zustellbar, kullanıcı yok, boyle bir kullanıcı, bilinmeyen kullanıcı,
    gecersiz alıcı, nenalezen, nenalezena, neznamy prijemce, neplatna adresa, neplatny prijemce, nu exista,
    utilizator necunoscut, не знаидено, не існує, δεν υπαρχει, αγνωστος χρηστης, 없는 사용자, 없는 계정, 사용자가 없, 수신자가 없,
    알 수 없는 사용자, 잘못된 주소, 該当するユーザ, 該当するアカウント, 宛先が正しくありません, 收件人错误, 无此邮箱, 没有这个用户, 查無此人,
    nessun utente, onbekende gebruiker, onbekende ontvanger, nie ma takiego, nie ma takiej, brak takiego, brak ~ uzytkownika, brak skrzynki, brak konta, nieznany uzytkownik, nieznany odbiorca,
    uzivatel ~ neexistuje, schranka ~ neexistuje, neznamy uzivatel, finns inte, okand mottagare, findes ikke,
    ukendt modtager, ukjent mottaker, tuntematon, nem letezik, ismeretlen, bulunamadı, mevcut degil,
    нет такого пользователя, нет такого адреса, нет такого получателя, такого адреса нет, такого пользователя нет, неизвестный пользователь, такого ~ не существует,
    несуществующий, неизвестный получатель, нет такого ящика, 无此用户, 找不到用户, 無此用戶, 查无此人, 没有此用户, 存在しません, 宛先不明, 見つかりません,
    존재하지
  `),
];

export const DISABLED_MAILBOX_FOREIGN = [
  ...each(
    FRENCH,
    list(`
      desactive, desactivee, archivee, ferme, fermee, cloture, cloturee, resilie, resiliee, inactif, inactive, expire,
      expiree
    `),
  ),
  ...each(
    GERMAN,
    list(
      'deaktiviert, geschlossen, gekundigt, stillgelegt, abgeschaltet, inaktiv, nicht aktiv, abgelaufen, aufgelost',
    ),
  ),
  ...each(SPANISH, both('deshabilitad, desactivad, cerrad, cancelad, inactiv, caducad')),
  ...list('dado de baja, dada de baja'),
  ...each(PORTUGUESE, both('desativad, desabilitad, encerrad, cancelad, inativ, expirad')),
  ...each(ITALIAN, both('disattivat, disabilitat, chius, cessat, scadut, inattiv, non attiv')),
  ...each(DUTCH, list('gedeactiveerd, uitgeschakeld, gesloten, opgeheven, opgezegd, verlopen, niet actief')),
  ...each(
    POLISH,
    list(
      'nieaktywne, nieaktywna, nieaktywny, wylaczone, wylaczona, zamkniete, zamknieta, dezaktywowane, wygaslo',
    ),
  ),
  ...each(RUSSIAN, list('отключен, отключена, неактивен, закрыт, деактивирован, не активен')),
  ...each(
    CZECH,
    list('zrusen, zrusena, zruseno, deaktivovan, deaktivovana, neaktivni, uzavren, uzavrena, vypnuta'),
  ),
  ...each(
    SWEDISH,
    list('inaktiverad, inaktiverat, avslutad, avslutat, stangd, stangt, lukket, nedlagt, avstangd, avstangt'),
  ),
  ...each(TURKISH, list('devre dısı, kapatıldı, kapatılmıs, kapalı, pasif, iptal')),
  ...each(CHINESE, list('已禁用, 被禁用, 停用, 已注销, 被注销, 已关闭, 禁用, 已過期, 已过期')),
  ...each(JAPANESE, list('無効, 停止, 解約, 閉鎖')),
  ...list(
    'non piu attivo, non piu attiva, plus actif, plus active, ya no esta activa, ya no esta activo, nao esta mais ativa, nicht mehr aktiv, 휴면, 탈퇴한, 탈퇴, 비활성, 사용 중지, 사용중지, 해지된, hesap ~ devre dısı, hesap ~ kapatıldı, deaktivovan, deaktivovana, zrusena, zrusen',
  ),
];

export const SUSPENDED_MAILBOX_FOREIGN = [
  ...each(FRENCH, list('bloque, bloquee, suspendu, suspendue, verrouille, verrouillee, impaye, impayee')),
  ...each(GERMAN, list('gesperrt, blockiert, eingefroren, ausgesetzt')),
  ...each(SPANISH, both('suspendid, bloquead, congelad')),
  ...each(PORTUGUESE, ['suspensa', 'suspenso', ...both('bloquead, congelad, travad')]),
  ...each(ITALIAN, both('sospes, bloccat, congelat')),
  ...each(DUTCH, list('geblokkeerd, opgeschort, vergrendeld, bevroren')),
  ...each(POLISH, list('zablokowane, zablokowana, zablokowany, zawieszone, zawieszona, zawieszony')),
  ...each(RUSSIAN, list('заблокирован, приостановлен, заморожен, заблокирована')),
  ...each(CZECH, list('zablokovan, zablokovana, blokovan, blokovana, pozastaven, pozastavena')),
  ...each(SWEDISH, list('sparrad, sparrat, blockerad, blockerat, sperret, sparret')),
  ...each(TURKISH, list('askıya, engellenmis, donduruldu, bloke')),
  ...each(KOREAN, list('정지, 잠금, 잠겨')),
  ...each(CHINESE, list('冻结, 锁定, 被锁, 被封, 凍結, 鎖定, 欠费')),
  ...each(JAPANESE, list('凍結, ロック')),
  ...list(
    '정지된, 이용 정지, 계정이 정지, 계정 잠김, hesap ~ askıya, schranka ~ zablokovana, ucet ~ zablokovan, ucet ~ pozastaven',
  ),
];

export const FULL_MAILBOX_FOREIGN = [
  ...each(FRENCH, list('pleine, plein, sature, saturee, quota, espace')),
  ...each([...GERMAN, ...GERMAN_STORAGE], list('voll, uberfullt, erschopft, ausgeschopft, uberlauft')),
  ...each([...GERMAN_STORAGE, 'kontingent', 'quota'], list('uberschritten, aufgebraucht, uberzogen')),
  ...each(GERMAN, ['zu viele mail ~ server']),
  ...each(SPANISH, both('llen, desbordad, sin espaci')),
  ...each(PORTUGUESE, ['sem espaco', ...both('chei, lotad')]),
  ...each(ITALIAN, ['esaurito', 'spazio', ...both('pien, satur')]),
  ...each(DUTCH, list('vol, overvol')),
  ...each(
    POLISH,
    list(
      'pelna, pelne, pelny, przepelniona, przepelnione, przepelniony, zapelniona, zapelnione, zapelniony, zapchana, brak miejsca',
    ),
  ),
  ...each(CZECH, list('plna, plny, preplnena, preplnen')),
  ...each(SWEDISH, list('full, fuld, fullt')),
  ...each(TURKISH, list('dolu, dolmus, kotası, kota')),
  ...each(KOREAN, list('가득, 용량, 꽉')),
  ...each(RUSSIAN, list('полон, переполнен, заполнен')),
  ...each(CHINESE, list('已满, 已滿, 空间不足, 空間不足, 容量')),
  ...list(`
    quota ~ depasse, espace ~ stockage ~ depasse, cuota ~ excedida, cuota ~ superada, cuota ~ agotada,
    cota ~ excedida, quota ~ superata, spazio ~ esaurito, quota ~ overschreden, przepelniona,
    przekroczono limit miejsca, превышена квота, квота ~ превышена, нет места, переполнен, 容量已满, 超过容量, 容量を超え, いっぱい,
    一杯, 満杯, 편지함, 配额已满, kutusu ~ dolu, kota ~ dolmus, kotası ~ dolmus, kota ~ asıldı, kotası ~ asıldı,
    schranka ~ plna, schranka ~ preplnena, kvota ~ prekrocena, prekrocena kvota, brevlada ~ full, postkasse ~ fuld,
    postafiok ~ megtelt, megtelt, 용량이 초과, 용량 초과, 용량초과, 메일함이 가득, 가득 찼, quotum ~ overschreden, limit miejsca, переповнен,
    переповнена, cutia ~ plina, superado ~ cuota, cota ~ armazenamento, große erreicht
  `),
];
