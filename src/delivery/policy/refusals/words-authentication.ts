/** Words about authentication: SPF, DKIM and DMARC, TLS, and login. */
import { each } from './phrases.ts';
import { AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

const LOGIN = list(`
  authentication required, smtp authentication, smtp auth, client not authenticated, must authenticate,
  login required, not logged in, requires authentication, authenticate first, please authenticate, auth required,
  please log in, please login, authenticate yourself, or authenticate, submission port, must be authenticated, auth first, authentification requise,
  authentifizierung erforderlich, autenticacion requerida, requiere autenticacion, autenticacao necessaria,
  requer autenticacao, autenticazione richiesta, требуется авторизация, требуется аутентификация, 需要认证, 需要身份验证, 身份验证,
  認証が必要, not anonymous, anonymous mail, log in first, must log in, log in before, login before, login first,
  must login, requires login, need ~ authenticate, need ~ authentication, auth command first, issue ~ auth,
  authentication needed, authentication mandatory, only authenticated, authenticated users only, turn on ~ authentication,
  authentication turned on, enable ~ authentication, only allowed authentication, only allowed authenticated, mail before sending,
  pop before smtp, pop3 first, pop first, via pop3, mail via pop, unauthenticated client, unauthenticated user
`);
const NO_LOGIN = list(`
  spf, dkim, dmarc, sender, group, resolver, ip reject, ip block
`);
const AUTHENTICATION = ['spf', 'dkim', 'dmarc', 'sender policy framework', 'unauthenticated'];

export const PROOFS: readonly Entry[] = [
  {
    id: 'unauthenticated-senders-at-once',
    phases: ['mail', ...GREETING],
    words: [
      ...each(['unauthenticated sender'], ['not allowed', 'not accept', 'reject', 'refused', 'denied']),
      ...list('not accept unauthenticated sender, no unauthenticated sender, not allow unauthenticated'),
    ],
    unless: ['spf', 'dkim', 'dmarc'],
    means: 'host_refused_service',
  },
  {
    // The code says that something inside failed: nothing shows that the record is wrong.
    id: 'authentication-lookup-failed',
    permanent: false,
    enhanced: ['4.3.x'],
    words: each(AUTHENTICATION, ['lookup failure', 'lookup fail', 'lookup error']),
    means: 'temporary_refusal',
  },
  {
    id: 'authentication-failed',
    words: [
      ...each(
        list(`
          fail, not pass, no, missing, invalid, bad, lack
        `),
        AUTHENTICATION,
      ),
      ...each(
        AUTHENTICATION,
        list(`
          fail, failed, failure, failing, not pass, invalid, reject, not align, permerror, softfail, hardfail
        `),
      ),
    ],
    unless: ['pass spf ~ dkim', 'duplicate header'],
    means: 'authentication_failed',
  },
  {
    id: 'not-your-address',
    words: list(
      'not authorized send from ~ address, not allowed send from ~ address, not allowed use ~ address',
    ),
    unless: ['ip', '#', 'host', 'server', ...AUTHENTICATION],
    means: 'sender_refused',
  },
  {
    id: 'authentication',
    words: [
      ...AUTHENTICATION,
      ...list(`
        signature ~ invalid, signature ~ fail, signature ~ missing, signature not valid, signature not verify,
        signature ~ not verif, signature ~ broken, broken signature, bad signature, invalid signature, not aligned, alignment, unsigned mail,
        unsigned message, not authorized ~ use ~ domain, not authorized ~ sender domain, domain ~ not authorize ~ ip,
        ip ~ not authorized ~ domain, not authorized ~ domain, not allowed ~ send ~ domain,
        not allowed ~ use ~ domain, pass authentication, message fail authentication, mail fail authentication,
        not send domain, not send from domain, not authorized send ~ &, & not allowed use ip, & not authorized use ip, & not allowed use #, & not authorized use #, not allowed send ~ behalf, not authorized send ~ behalf, arc validation, arc fail, arc seal, arc chain, arc invalid,
        fail ~ authentication check, authentication check, domain authentication, message authentication,
        sender authentication, ptr ~ authentication, rdns ~ authentication, authentication rdns, authentication ptr,
        authentication reverse dns, authentication information, authentication level, authentication requirements,
        not allowed send mail from, not permitted send mail from, not allowed send from, not authorized send from,
        not authorized send mail from, not authorized send mail ~ domain, designated ~ permitted sender,
        not designated, sender id fail, sender id check, sender id ~ not permitted, senderid,
        not authorized ~ on behalf, mismatch client ip, purported responsible, invalid ip ~ sending mail ~ domain,
        mismatches client, message not signed, p reject, forged from header, domain not authorize ~ server,
        domain not authorize ~ host, server ~ allowed sender, host ~ allowed sender, ip ~ allowed sender,
        # ~ allowed sender, anti spoofing, antispoofing, spoofing, spoofed, spoof, pretend,
        from header forged, from ~ forged, impersonat, impersonation, forged sender, sender forged, sender ~ forged,
        fake sender, forged mail, forgery, faked sender, fake from, faked from, sender s policy, domain owner s policy,
        domain owner policy, published policy
      `),
    ],
    unless: list(`
      spf pass, dkim pass, dmarc pass, pass spf, pass dkim, pass dmarc, spf ok, relay, duplicate header,
      spf domain ~ rate, rate ~ spf domain, rate ~ dkim domain, country, bogus
    `),
    means: 'authentication_failed',
  },
  {
    id: 'authentication-link',
    links: ['openspf', 'dmarcrejection', 'auth_error'],
    means: 'authentication_failed',
  },
  { id: 'requiretls', words: ['requiretls'], means: 'requiretls_unsupported' },
  {
    // The session is encrypted or not before the message is read: afterwards it is about the message itself.
    id: 'message-not-encrypted',
    phases: ['body', 'dot'],
    permanent: true,
    words: ['unencrypted mail', 'unencrypted message', 'message not encrypted', 'mail not encrypted'],
    unless: ['tls', 'ssl', 'connection', 'session', 'transport'],
    means: 'content_refused',
  },
  {
    id: 'tls-required',
    words: list(`
      tls ~ mandatory, encryption ~ mandatory, mandatory tls, tls ~ needed, encryption ~ needed, needs tls, need tls,
      tls ~ enforced, enforces tls, tls ~ obligatory, plaintext, plain text connection, cleartext, in clear text,
      please use tls, tls protocol version, use encryption, must be encrypted, must ~ encrypted, must ~ encryption, only ~ encrypted, lack security,
      lacks security, security level ~ low, encrypted link, chiffrement obligatoire, tls requis, tls erforderlich,
      verschlusselung notwendig, cifrado obligatorio, crittografia obbligatoria, tls required, requires tls,
      tls ~ required, encryption required, encryption ~ required, requires encryption, requires ~ tls, without tls,
      not encrypted, must use tls, unencrypted, not use tls, not using tls, not sent over tls, starttls first,
      starttls command first, issue starttls, issue ~ starttls, starttls required, requires starttls,
      must use starttls, use starttls, tls version, ciphers, high strength ciphers, encrypted connection,
      encrypted connections, certificate ~ not trusted, certificate ~ invalid, certificate ~ expired,
      untrusted certificate, certificate ~ not valid, certificate ~ not verified, certificate ~ not verify, certificate ~ verification fail, tls only, only ~ tls, must start tls, tls not used, over tls,
      tls connection, secure connection ~ required, verschlusselte verbindung, verschlusselung erforderlich,
      connexion chiffree, conexion cifrada, requires encrypted, requires ~ encrypted, encrypted transmission,
      encrypted transport, encrypted delivery
    `),
    unless: ['tls failed', 'tls not available', 'tls unavailable', 'tls error', 'too many'],
    means: 'authentication_failed',
    about: 'our_address',
  },
  {
    id: 'login-required',
    phases: AFTER_RCPT,
    words: LOGIN,
    unless: [...NO_LOGIN, 'months', 'year', 'days', 'long time'],
    means: 'domain_not_served',
  },
  {
    id: 'login-required-at-once',
    phases: ['mail', ...GREETING],
    words: LOGIN,
    unless: NO_LOGIN,
    means: 'host_refused_service',
  },
];
