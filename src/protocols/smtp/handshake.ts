/** From a new TCP connection to a server ready for MAIL: banner, EHLO, STARTTLS, EHLO again, AUTH. */
import type { TLSSocket } from 'node:tls';
import { type Capabilities, NO_CAPABILITIES, parseCapabilities } from './capabilities.ts';
import { certificateOf } from './certificate.ts';
import { isFailure } from './channel.ts';
import { daneProblem } from './dane.ts';
import type { CertificateFacts, SmtpCredentials, SmtpFinding } from './facts.ts';
import { command, expect, isFinding, type Link } from './link.ts';

interface Greeted {
  readonly kind: 'greeted';
  readonly capabilities: Capabilities;
  readonly tls: Secured | null;
}

/** The negotiated TLS parameters and the certificate. */
export interface Secured {
  /** Protocol and cipher. */
  readonly words: string;
  readonly certificate: CertificateFacts;
}

/** Why the server cannot be used, with the TLS state so far. */
interface NotGreeted {
  readonly kind: 'not_greeted';
  readonly finding: SmtpFinding;
  readonly tls: Secured | null;
}

export async function greet(link: Link): Promise<Greeted | NotGreeted> {
  const wrapped = link.target.tls === 'implicit' ? await encrypt(link) : null;
  if (wrapped !== null && 'kind' in wrapped) return notGreeted(wrapped, null);
  const banner = await expect(link, 'banner', 2, link.deadlines.bannerMs);
  if (isFinding(banner)) return notGreeted(banner, wrapped);
  const first = await sayHello(link);
  if ('kind' in first) return notGreeted(first, wrapped);
  const upgraded = wrapped === null ? await upgrade(link, first) : null;
  if (upgraded !== null && 'kind' in upgraded) return notGreeted(upgraded, null);
  const tls = upgraded ?? wrapped;
  const capabilities = upgraded === null ? first : await sayHello(link);
  if ('kind' in capabilities) return notGreeted(capabilities, tls);
  const refusal = link.target.auth
    ? await authenticate(link, link.target.auth, capabilities, tls !== null)
    : null;
  return refusal === null ? { kind: 'greeted', capabilities, tls } : notGreeted(refusal, tls);
}

function notGreeted(finding: SmtpFinding, tls: Secured | null): NotGreeted {
  return { kind: 'not_greeted', finding, tls };
}

async function sayHello(link: Link): Promise<Capabilities | SmtpFinding> {
  const { ehloMs } = link.deadlines;
  const ehlo = await command(link, 'ehlo', `EHLO ${link.target.ehloName}`, 2, ehloMs);
  if (!isFinding(ehlo)) return parseCapabilities(ehlo.lines);
  if (ehlo.kind !== 'refused' || ehlo.reply.code < 500) return ehlo;
  const helo = await command(link, 'ehlo', `HELO ${link.target.ehloName}`, 2, ehloMs);
  return isFinding(helo) ? helo : NO_CAPABILITIES;
}

/** The TLS parameters, null without TLS, or the finding that ends the conversation. */
async function upgrade(link: Link, offered: Capabilities): Promise<Secured | SmtpFinding | null> {
  const { target, deadlines } = link;
  if (target.tls === 'never') return null;
  const required = target.tls === 'required';
  if (!offered.startTls) {
    return required
      ? { kind: 'local', problem: 'starttls_not_offered', detail: 'no STARTTLS in EHLO' }
      : null;
  }
  const ready = await command(link, 'starttls', 'STARTTLS', 2, deadlines.startTlsMs);
  if (isFinding(ready)) {
    const carryOn = !required && ready.kind === 'refused' && ready.reply.code !== 421;
    return carryOn ? null : ready;
  }
  return await encrypt(link);
}

async function encrypt(link: Link): Promise<Secured | SmtpFinding> {
  const { target, deadlines } = link;
  const socket = await link.channel.startTls(
    link.tlsSessions.optionsFor(target),
    deadlines.tlsMs,
    (session) => link.tlsSessions.remember(target, session),
  );
  if (isFailure(socket)) {
    link.tlsSessions.forget(target);
    link.transcript.noted(socket.detail);
    return { kind: 'broken', phase: 'tls', failure: socket.failure, detail: socket.detail, afterDot: false };
  }
  const stranger = unexpectedCertificateIn(link, socket);
  if (stranger !== null) return stranger;
  const secured = { words: describeTls(socket), certificate: seenCertificate(link, socket) };
  link.transcript.noted(secured.words);
  return secured;
}

/** The finding for a certificate that DANE does not accept. */
function unexpectedCertificateIn({ target, transcript, clock }: Link, socket: TLSSocket): SmtpFinding | null {
  if (target.dane === undefined || target.dane.records.length === 0) return null;
  const detail = daneProblem(socket, target.dane, clock.nowMs());
  if (detail === null) return null;
  transcript.noted(detail);
  return { kind: 'broken', phase: 'tls', failure: 'tls', detail, afterDot: false };
}

/** A resumed session has no full certificate, so the facts come from the original handshake. */
function seenCertificate({ target, tlsSessions }: Link, socket: TLSSocket): CertificateFacts {
  const before = socket.isSessionReused() ? tlsSessions.certificateFor(target) : undefined;
  const certificate = before ?? certificateOf(socket, target);
  if (before === undefined) tlsSessions.saw(target, certificate);
  return { ...certificate, policy: target.tlsPolicy ?? 'opportunistic' };
}

function describeTls(socket: TLSSocket): string {
  return `${socket.getProtocol() ?? 'TLS'} ${socket.getCipher().name}`;
}

/** AUTH PLAIN or LOGIN, for relays. Credentials never reach the transcript. Null after successful authentication. */
async function authenticate(
  link: Link,
  credentials: SmtpCredentials,
  offered: Capabilities,
  overTls: boolean,
): Promise<SmtpFinding | null> {
  if (!overTls && credentials.allowWithoutTls !== true) {
    return { kind: 'local', problem: 'auth_needs_tls', detail: 'credentials are only sent over TLS' };
  }
  if (offered.auth.has('PLAIN')) return await authPlain(link, credentials);
  if (offered.auth.has('LOGIN')) return await authLogin(link, credentials);
  return { kind: 'local', problem: 'auth_not_offered', detail: 'neither AUTH PLAIN nor AUTH LOGIN in EHLO' };
}

async function authPlain(link: Link, { user, password }: SmtpCredentials): Promise<SmtpFinding | null> {
  const secret = base64(`\0${user}\0${password}`);
  return await step(link, `AUTH PLAIN ${secret}`, 2, 'AUTH PLAIN (hidden)');
}

async function authLogin(link: Link, { user, password }: SmtpCredentials): Promise<SmtpFinding | null> {
  return (
    (await step(link, 'AUTH LOGIN', 3, 'AUTH LOGIN')) ??
    (await step(link, base64(user), 3, '(hidden user)')) ??
    (await step(link, base64(password), 2, '(hidden password)'))
  );
}

async function step(link: Link, line: string, wanted: 2 | 3, shownAs: string): Promise<SmtpFinding | null> {
  const answer = await command(link, 'auth', line, wanted, link.deadlines.authMs, shownAs);
  return isFinding(answer) ? answer : null;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
