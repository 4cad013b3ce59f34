/** The certificate for SMTP, from its files. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DAY_MS } from '../../kit/runtime/durations.ts';
import { doctorCheck } from '../doctor-check.ts';
import { CannotTell, type Observation } from '../finding.ts';
import type { DoctorWorld } from '../world.ts';

export interface CertificateFileFacts {
  readonly file: string;
  readonly host: string;
  readonly isForHost: boolean;
  readonly names: string;
  readonly belongsToKey: boolean;
  /** Milliseconds until it expires; below zero when it has. */
  readonly leftMs: number;
}

const SOON_MS = 14 * DAY_MS;

export const certificateCheck = doctorCheck({
  name: 'certificate',
  isQuick: true,
  matters:
    'Applications that submit mail refuse to talk to it, and so do mail servers that insist on a valid one.',
  gather: gatherCertificate,
  judge: judgeCertificate,
});

/** Null where there is none. */
async function gatherCertificate({ config, clock }: DoctorWorld): Promise<CertificateFileFacts | null> {
  const { certificateFile: file, keyFile } = config.inbound;
  if (file === undefined || keyFile === undefined) return null;
  const [cert, key] = await Promise.all([file, keyFile].map(read));
  const certificate = new X509Certificate(cert ?? '');
  const host = config.hostname.toLowerCase();
  return {
    file,
    host,
    isForHost: certificate.checkHost(host) !== undefined,
    names: certificate.subjectAltName ?? certificate.subject,
    belongsToKey: certificate.checkPrivateKey(createPrivateKey(key ?? '')),
    leftMs: Date.parse(certificate.validTo) - clock.nowMs(),
  };
}

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CannotTell(
      `${file} cannot be read: ${error.message}.`,
      'Run it as the user that Postrider runs as, or correct the path.',
    );
  });
}

export function judgeCertificate(facts: CertificateFileFacts | null): Observation[] {
  if (facts === null) {
    const seen =
      'No certificate is configured for SMTP: bounces are received with one of our own making, which nearly all mail servers accept.';
    return [{ level: 'ok', seen }];
  }
  const { file, host, isForHost, names, belongsToKey, leftMs } = facts;
  const wrong: Observation[] = [];
  if (!belongsToKey) {
    const mend = 'Set POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY to a pair.';
    wrong.push({
      level: 'bad',
      seen: `The key does not belong to the certificate in ${file}.`,
      why: 'SMTP does not start with them.',
      mend,
    });
  }
  if (!isForHost) {
    const mend = `Get a certificate for ${host}, such as: certbot certonly -d ${host}`;
    wrong.push({
      level: 'warn',
      seen: `The certificate in ${file} is made out to ${names}, not to ${host}.`,
      mend,
    });
  }
  const expiry = judgeExpiry(
    leftMs,
    `The certificate in ${file}`,
    'Renew it (certbot renew), then restart the inbound and submission roles.',
  );
  return expiry.level !== 'ok' || wrong.length === 0 ? [...wrong, expiry] : wrong;
}

export function judgeExpiry(leftMs: number, what: string, mend: string): Observation {
  const days = Math.floor(Math.abs(leftMs) / DAY_MS);
  if (leftMs <= 0) return { level: 'bad', seen: `${what} expired ${days} days ago.`, mend };
  if (leftMs < SOON_MS) return { level: 'warn', seen: `${what} expires in ${days} days.`, mend };
  return { level: 'ok', seen: `${what} is valid for ${days} more days.` };
}
