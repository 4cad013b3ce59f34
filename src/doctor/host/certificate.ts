/** The SMTP certificate, in its files and as served: a renewed file must be reloaded. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { DAY_MS } from '../../runtime/durations.ts';
import { localAddress } from '../../runtime/host-name.ts';
import { doctorCheck } from '../doctor-check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, counted, type Observation } from '../finding.ts';

interface CertificateFileFacts {
  readonly file: string;
  readonly host: string;
  readonly isForHost: boolean;
  readonly names: string;
  readonly belongsToKey: boolean;
  /** Milliseconds until it expires; negative after that. */
  readonly leftMs: number;
  /** An outdated certificate that submission still serves: its port and expiry. */
  readonly stale: { readonly port: number; readonly until: string; readonly leftMs: number } | null;
}

const SOON_MS = 14 * DAY_MS;

export const certificateCheck = doctorCheck({
  name: 'certificate',
  isQuick: true,
  matters:
    'Applications that submit mail, and mail servers that require a valid certificate, refuse to connect.',
  gather: gatherCertificate,
  judge: judgeCertificate,
});

/** Null without a certificate; `acme` when it comes from ACME, see acme.ts. */
async function gatherCertificate({
  config,
  clock,
  outside,
}: DoctorContext): Promise<CertificateFileFacts | 'acme' | null> {
  const { certificateFile: file, keyFile } = config.inbound;
  if (file === undefined || keyFile === undefined) return config.acme === undefined ? null : 'acme';
  const [cert, key] = await Promise.all([file, keyFile].map(read));
  const certificate = new X509Certificate(cert ?? '');
  const host = config.hostname.toLowerCase();
  const { tlsPort: port, ...submission } = config.submission;
  const served =
    port === undefined ? null : await servedAt(localAddress(submission.host), port, outside.timeoutMs);
  const leftMs = (one: X509Certificate) => Date.parse(one.validTo) - clock.nowMs();
  const isStale = served !== null && served.fingerprint256 !== certificate.fingerprint256;
  return {
    file,
    host,
    isForHost: certificate.checkHost(host) !== undefined,
    names: certificate.subjectAltName ?? certificate.subject,
    belongsToKey: certificate.checkPrivateKey(createPrivateKey(key ?? '')),
    leftMs: leftMs(certificate),
    stale: isStale && port !== undefined ? { port, until: served.validTo, leftMs: leftMs(served) } : null,
  };
}

/** Null when no server answers on this machine. */
function servedAt(host: string, port: number, timeoutMs: number): Promise<X509Certificate | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: timeoutMs });
    const end = (found: X509Certificate | null) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate() ?? null));
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
  });
}

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CheckInconclusive(
      `${file} cannot be read: ${error.message}.`,
      'Run the doctor as the user that Postrider runs as, or correct the path.',
    );
  });
}

export function judgeCertificate(facts: CertificateFileFacts | 'acme' | null): Observation[] {
  if (facts === 'acme') return [{ level: 'ok', seen: 'The certificate for SMTP is ordered by ACME.' }];
  if (facts === null) {
    const seen =
      'No certificate is configured for SMTP: bounces are received with a self-signed certificate, which nearly all mail servers accept.';
    return [{ level: 'ok', seen }];
  }
  const { file, host, isForHost, names, belongsToKey, leftMs, stale } = facts;
  const wrong: Observation[] = stale === null ? [] : [judgeStale(stale, file)];
  if (!belongsToKey) {
    const fix = 'Set POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY to a pair.';
    wrong.push({
      level: 'bad',
      seen: `The key does not belong to the certificate in ${file}.`,
      why: 'SMTP does not start with this pair.',
      fix,
    });
  }
  if (!isForHost) {
    const fix = `Get a certificate for ${host}, such as: certbot certonly -d ${host}`;
    wrong.push({
      level: 'warn',
      seen: `The certificate in ${file} is issued for ${names}, not to ${host}.`,
      fix,
    });
  }
  const expiry = judgeExpiry(
    leftMs,
    `The certificate in ${file}`,
    `Renew it (certbot renew), then let Postrider read it: ${RELOAD}`,
  );
  return expiry.level !== 'ok' || wrong.length === 0 ? [...wrong, expiry] : wrong;
}

const RELOAD =
  'systemctl reload postrider, or SIGHUP to npx postrider start. Roles that run alone are restarted instead.';

function judgeStale(
  { port, until, leftMs }: NonNullable<CertificateFileFacts['stale']>,
  file: string,
): Observation {
  return {
    level: leftMs <= 0 ? 'bad' : 'warn',
    seen: `Port ${port} serves another certificate than the one in ${file}, valid until ${until}: it was read before the file was changed.`,
    fix: `Let Postrider read it: ${RELOAD}`,
  };
}

export function judgeExpiry(leftMs: number, what: string, fix: string): Observation {
  const days = Math.floor(Math.abs(leftMs) / DAY_MS);
  const time = days === 0 ? 'less than a day' : counted(days, 'day');
  if (leftMs <= 0) return { level: 'bad', seen: `${what} expired ${time} ago.`, fix };
  if (leftMs < SOON_MS) return { level: 'warn', seen: `${what} expires in ${time}.`, fix };
  return { level: 'ok', seen: `${what} is valid for ${counted(days, 'more day')}.` };
}
