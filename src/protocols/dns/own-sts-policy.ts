/** The MTA-STS policy of our own inbound host (RFC 8461) and its DNS record. Pure. */
import { createHash } from 'node:crypto';
import type { InboundSts } from '../../runtime/smtp-config.ts';
import type { StsPolicy } from './mta-sts-policy.ts';

export const STS_PATH = '/.well-known/mta-sts.txt';

/**
 * Short in testing mode, so that changes apply soon; long when enforced, so that senders remember the policy
 * for the duration of an attack.
 */
const MAX_AGE_MS = { none: 86_400_000, testing: 86_400_000, enforce: 604_800_000 };
const ID_CHARS = 20;

/** Mail to `host` is accepted at the given MX hosts, or at itself. */
export function ownStsPolicy(host: string, { mode, mx }: InboundSts): StsPolicy {
  return { mode, mx: mx ?? [host], maxAgeMs: MAX_AGE_MS[mode] };
}

export function stsHostOf(host: string): string {
  return `mta-sts.${host}`;
}

export function stsRecordName(host: string): string {
  return `_mta-sts.${host}`;
}

/** Senders fetch the policy again when the id changes, so the id is a hash of the policy. */
export function stsRecordValue(policy: StsPolicy): string {
  const id = createHash('sha256').update(stsPolicyText(policy)).digest('hex').slice(0, ID_CHARS);
  return `v=STSv1; id=${id};`;
}

export function stsPolicyText({ mode, mx, maxAgeMs }: StsPolicy): string {
  const lines = [
    'version: STSv1',
    `mode: ${mode}`,
    ...mx.map((name) => `mx: ${name}`),
    `max_age: ${maxAgeMs / 1000}`,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}
