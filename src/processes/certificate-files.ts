/** The operator's certificate, for whoever is connected to over SMTP. */
import { readFileSync } from 'node:fs';
import type { InboundConfig } from '../runtime/smtp-config.ts';

/** PEM; null where there is none. */
export function readCertificate({ certificateFile, keyFile }: InboundConfig) {
  if (certificateFile === undefined || keyFile === undefined) return null;
  return { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
