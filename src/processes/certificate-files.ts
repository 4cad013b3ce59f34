/** The operator's certificate for the SMTP servers. */
import { readFileSync } from 'node:fs';
import type { InboundConfig } from '../runtime/smtp-config.ts';

/** PEM; null without a certificate. */
export function readCertificate({ certificateFile, keyFile }: InboundConfig) {
  if (certificateFile === undefined || keyFile === undefined) return null;
  return { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
