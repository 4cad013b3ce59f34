/**
 * Explains the result of the DMARC check and the change to make. Mail is sent without the record, but receivers trust
 * it less.
 */
import type { DmarcRecord } from './dmarc.ts';
import { describeDnsFailure } from './dns-failure.ts';
import { dmarcName, dmarcValue } from './dns-records.ts';

export interface DmarcAdvice {
  readonly status: 'pass' | 'warn' | 'unknown';
  /** The name of the found or missing record. */
  readonly name: string;
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

export function adviseDmarc(
  record: DmarcRecord,
  domain: string,
  reportsTo: string | null = null,
): DmarcAdvice {
  const missing = { name: dmarcName(domain), expected: dmarcValue(reportsTo), found: [] };
  switch (record.kind) {
    case 'found':
      return {
        status: 'pass',
        name: record.at,
        expected: record.text,
        found: [record.text],
        message: `The DMARC record is right. ${POLICIES[record.policy]}`,
      };
    case 'missing':
      return {
        ...missing,
        status: 'warn',
        message: `${domain} has no DMARC record. Large providers require one; publish a TXT record at ${missing.name} with the value: ${missing.expected}`,
      };
    case 'several':
      return {
        ...missing,
        name: record.at,
        status: 'warn',
        message: `There are ${record.count} DMARC records at ${record.at}, and receivers use none of them then. Remove all but one.`,
      };
    case 'malformed':
      return {
        ...missing,
        name: record.at,
        found: [record.text],
        status: 'warn',
        message: `The DMARC record at ${record.at} has an error: ${record.problem}. Receivers ignore it.`,
      };
    case 'unavailable':
      return {
        ...missing,
        name: record.at,
        status: 'unknown',
        message: describeDnsFailure(record.at, record.code),
      };
  }
}

const POLICIES = {
  none: 'Mail that fails it is delivered all the same (p=none).',
  quarantine: 'Mail that fails it goes to the spam folder (p=quarantine).',
  reject: 'Mail that fails it is refused (p=reject).',
} as const;
