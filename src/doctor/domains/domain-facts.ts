/** DNS facts about one sending domain and its return path. */

import { type DmarcRecord, findDmarc, isAligned } from '../../domains/dmarc.ts';
import { delegatedHost, reportPermissionName } from '../../domains/dns-records.ts';
import { lookUpReturnPathHost } from '../../domains/return-path-host.ts';
import { evaluateSpf, type Senders } from '../../domains/spf.ts';
import type { DomainRow } from '../../domains/store.ts';
import { type CheckedDomain, checkDomain } from '../../domains/verify.ts';
import type { Answer, MxRecord } from '../../protocols/dns/answer.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { DOCTOR_LOOKUP } from '../doctor-context.ts';

export interface SendingDomainFacts {
  readonly domain: string;
  readonly host: string;
  readonly isVerified: boolean;
  /** Null while the domain has no key. */
  readonly checked: CheckedDomain | null;
  readonly dmarc: DmarcRecord;
  readonly returnPath: ReturnPathFacts;
  /** The MX records of the domain's own bounce host. */
  readonly delegated: Answer<MxRecord>;
  /**
   * The record by which our host accepts the reports that the domain's DMARC record sends there; null when
   * none is needed.
   */
  readonly permission: Answer<string> | null;
}

/** Receivers check SPF of the return path's domain, not of the one in From. */
interface ReturnPathFacts {
  readonly host: string;
  readonly spf: 'pass' | 'fail' | 'unknown';
}

export async function gatherDomain(
  resolver: Resolver,
  row: DomainRow,
  host: string,
  senders: Senders,
): Promise<SendingDomainFacts> {
  const { domain, selector, public_key: publicKey } = row;
  const txt = (name: string) => resolver.txt(name, DOCTOR_LOOKUP);
  const [checked, dmarc, returnPath, delegated] = await Promise.all([
    publicKey === null ? null : checkDomain(txt, { domain, selector, publicKey }, host, senders),
    findDmarc(txt, domain),
    gatherReturnPath(resolver, domain, host, senders),
    resolver.mx(delegatedHost(domain), DOCTOR_LOOKUP),
  ]);
  const permission = needsPermission(dmarc, domain, host)
    ? await txt(reportPermissionName(domain, host))
    : null;
  const isVerified = row.spf_verified && row.dkim_verified && row.verified_in !== 'sandbox';
  return { domain, host, isVerified, checked, dmarc, returnPath, delegated, permission };
}

/** RFC 7489, 7.1: before sending reports to another domain's host, receivers check that host's permission. */
function needsPermission(dmarc: DmarcRecord, domain: string, host: string): boolean {
  if (dmarc.kind !== 'found' || isAligned(domain, host, false)) return false;
  const asked = /(?:^|;)\s*rua\s*=([^;]*)/i.exec(dmarc.text)?.[1]?.toLowerCase() ?? '';
  return asked.split(',').some((uri) =>
    uri
      .trim()
      .replace(/![0-9]+[kmgt]?$/, '')
      .endsWith(`@${host}`),
  );
}

async function gatherReturnPath(
  resolver: Resolver,
  domain: string,
  ours: string,
  senders: Senders,
): Promise<ReturnPathFacts> {
  const host = await lookUpReturnPathHost(resolver, domain, ours, DOCTOR_LOOKUP);
  const { kind } = await evaluateSpf((name) => resolver.txt(name, DOCTOR_LOOKUP), host, ours, senders);
  return { host, spf: kind === 'pass' ? 'pass' : kind === 'unavailable' ? 'unknown' : 'fail' };
}
