/** The two SMTP servers: inbound mail (bounces, complaints), and submission by applications. */
import type { Reader } from './config-reader.ts';
import { isLoopback } from './host-name.ts';

export interface SmtpServersConfig {
  readonly inbound: InboundConfig;
  readonly submission: SubmissionConfig;
}

/** The server for bounces and complaints. */
export interface InboundConfig {
  /** Adds a mailto address to List-Unsubscribe. */
  readonly unsubscribeByMail: boolean;
  readonly host: string;
  readonly port: number;
  /** Unless the port is set explicitly, another one may be used when it is taken. */
  readonly isPortGiven: boolean;
  readonly sts: InboundSts;
  /** PEM files; without them STARTTLS uses a self-signed certificate. */
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly scanners: ScannersConfig;
}

/** Scanners for received mail; undefined when there are none. */
export interface ScannersConfig {
  readonly rspamd: string | undefined;
  readonly clamd: string | undefined;
}

/** The content of the inbound host's MTA-STS policy. */
export interface InboundSts {
  readonly mode: (typeof STS_MODES)[number];
  /** The names in its MX records; the host's own name when undefined. */
  readonly mx: readonly string[] | undefined;
}

/** The server on which applications submit mail. It shares the inbound server's certificate. */
interface SubmissionConfig {
  readonly isOn: boolean;
  readonly host: string;
  readonly port: number;
  /** Unless the port is set explicitly, another port or none is used when it is unavailable. */
  readonly isPortGiven: boolean;
  readonly tlsPort: number | undefined;
  /** The first port accepts passwords only after STARTTLS. */
  readonly offersStartTls: boolean;
}

const STS_MODES = ['none', 'testing', 'enforce'] as const;
const DEFAULT_INBOUND_PORT = 2525;

/** `hasAcme`: certificates are ordered by ACME when no files are given. */
export function smtpServers(read: Reader, isLive: boolean, hasAcme: boolean): SmtpServersConfig {
  const inbound = inboundConfig(read, isLive);
  const hasCertificate = hasAcme || inbound.certificateFile !== undefined;
  return { inbound, submission: submissionConfig(read, isLive, hasCertificate) };
}

/** In live mode other mail servers must reach it; in the sandbox only this machine does. */
function inboundConfig(read: Reader, isLive: boolean): InboundConfig {
  const port = read.optionalInteger('POSTRIDER_INBOUND_PORT', 0, 65_535);
  const certificateFile = read.text('POSTRIDER_INBOUND_TLS_CERT');
  const keyFile = read.text('POSTRIDER_INBOUND_TLS_KEY');
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    read.problems.push('POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY must be given together.');
  }
  const host = read.text('POSTRIDER_INBOUND_HOST') ?? (isLive ? '0.0.0.0' : '127.0.0.1');
  return {
    host,
    unsubscribeByMail: read.boolean('POSTRIDER_UNSUBSCRIBE_BY_MAIL', isReachable(host, isLive)),
    port: port ?? DEFAULT_INBOUND_PORT,
    isPortGiven: port !== undefined,
    sts: {
      mode: read.oneOf('POSTRIDER_MTA_STS', STS_MODES, 'none'),
      mx: read.domains('POSTRIDER_MTA_STS_MX'),
    },
    certificateFile,
    keyFile,
    scanners: {
      rspamd: read.matching(
        'POSTRIDER_RSPAMD_URL',
        /^https?:\/\/[^\s/@]+(\/[^\s]*)?$/,
        'an address such as http://127.0.0.1:11333',
      ),
      clamd: read.matching(
        'POSTRIDER_CLAMD',
        /^(?:unix:\/\S+|tcp:\/\/[^\s/@:]+(?::\d{1,5})?|tcp:\/\/\[[0-9a-f:]+\](?::\d{1,5})?)$/i,
        'tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
      ),
    },
  };
}

/**
 * Reachable for others only in live mode with a certificate, so that no password crosses a network in clear
 * text.
 */
function submissionConfig(read: Reader, isLive: boolean, hasCertificate: boolean): SubmissionConfig {
  const isOn = read.boolean('POSTRIDER_SUBMISSION', true);
  const port = read.optionalInteger('POSTRIDER_SUBMISSION_PORT', 0, 65_535);
  const tlsPort = read.optionalInteger('POSTRIDER_SUBMISSION_TLS_PORT', 0, 65_535);
  const isOpen = isLive && hasCertificate;
  const host = read.text('POSTRIDER_SUBMISSION_HOST') ?? (isOpen ? '::' : '127.0.0.1');
  if (isOn && !hasCertificate && isLive && !isLoopback(host)) {
    read.problems.push(`POSTRIDER_SUBMISSION_HOST is ${host}, where others reach it: ${CERTIFICATE_WANTED}`);
  }
  if (isOn && !hasCertificate && tlsPort !== undefined) {
    read.problems.push(`POSTRIDER_SUBMISSION_TLS_PORT is given: ${CERTIFICATE_WANTED}`);
  }
  return {
    isOn,
    host,
    port: port ?? (isLive ? 587 : 1025),
    isPortGiven: port !== undefined,
    tlsPort: tlsPort ?? (isOpen ? 465 : undefined),
    offersStartTls: isOpen,
  };
}

const CERTIFICATE_WANTED =
  'SMTP submission needs a certificate then. Set POSTRIDER_ACME=true, or POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY, or POSTRIDER_SUBMISSION=false.';

/** Whether other mail servers can reach the host, as far as the settings show. Firewalls are unknown here. */
function isReachable(host: string, isLive: boolean): boolean {
  return isLive && !/^(?:localhost$|127\.|::1$)/.test(host);
}
