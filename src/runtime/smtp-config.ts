/** The two doors of SMTP: for mail that comes back, and for mail of applications. */
import type { Reader } from './config-reader.ts';
import { isLoopback } from './host-name.ts';

export interface SmtpServersConfig {
  readonly inbound: InboundConfig;
  readonly submission: SubmissionConfig;
}

/** Where bounces and complaints come in. */
export interface InboundConfig {
  /** Mail that can be unsubscribed from names an address for it, too. */
  readonly unsubscribeByMail: boolean;
  readonly host: string;
  readonly port: number;
  /** A port that nobody asked for may be another one when it is taken. */
  readonly isPortGiven: boolean;
  readonly sts: InboundSts;
  /** PEM files; without them STARTTLS uses a certificate of our own making. */
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly scanners: ScannersConfig;
}

/** Programs that look at received mail; undefined where there is none. */
export interface ScannersConfig {
  readonly rspamd: string | undefined;
  readonly clamd: string | undefined;
}

/** What the MTA-STS policy of the inbound host says. */
export interface InboundSts {
  readonly mode: (typeof STS_MODES)[number];
  /** The names in its MX records; its own when undefined. */
  readonly mx: readonly string[] | undefined;
}

/** Where applications submit mail over SMTP. Its certificate is inbound's. */
export interface SubmissionConfig {
  readonly isOn: boolean;
  readonly host: string;
  readonly port: number;
  /** A port that nobody asked for may be another one, or none, when it cannot be had. */
  readonly isPortGiven: boolean;
  /** Where TLS begins at once; undefined where it does nowhere. */
  readonly tlsPort: number | undefined;
  /** The first port takes passwords behind STARTTLS alone. */
  readonly offersStartTls: boolean;
}

const STS_MODES = ['none', 'testing', 'enforce'] as const;
const DEFAULT_INBOUND_PORT = 2525;

/** `hasAcme`: certificates are ordered by ACME where no files are given. */
export function smtpServers(read: Reader, isLive: boolean, hasAcme: boolean): SmtpServersConfig {
  const inbound = inboundConfig(read, isLive);
  const hasCertificate = hasAcme || inbound.certificateFile !== undefined;
  return { inbound, submission: submissionConfig(read, isLive, hasCertificate) };
}

/** Other mail servers must reach it in live mode; in the sandbox only this machine does. */
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

/** Others reach it in live mode with a certificate: no password crosses a network in clear. */
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

/** By mail servers elsewhere, as far as can be told from here: whether the port is let through is not. */
function isReachable(host: string, isLive: boolean): boolean {
  return isLive && !/^(?:localhost$|127\.|::1$)/.test(host);
}
