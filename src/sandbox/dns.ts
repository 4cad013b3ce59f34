/**
 * The sandbox's own DNS for domain checks: it serves correct records for every registered domain, so that
 * test domains verify without being owned. Names under `.invalid` stay unknown, to show a failure.
 */

import type { Sql } from '../database/sql.ts';
import {
  dkimName,
  dkimValue,
  dmarcName,
  dmarcValue,
  hostSpfValue,
  spfValue,
} from '../domains/dns-records.ts';
import { findPublishedRotation } from '../domains/rotation-store.ts';
import type { LookUpTxt } from '../domains/spf.ts';
import { findPublished } from '../domains/store.ts';
import type { Answer } from '../protocols/dns/answer.ts';
import type { ReportAddresses } from '../protocols/message/report-address.ts';

interface SandboxDnsOptions {
  readonly db: Sql;
  readonly host: string;
  readonly reports?: ReportAddresses;
}

export function createSandboxTxt({ db, host, reports }: SandboxDnsOptions): LookUpTxt {
  return async (name) => {
    if (name === host) return found(hostSpfValue());
    if (/(?:^|\.)invalid$/.test(name)) return UNKNOWN;
    if (name.startsWith(dmarcName(''))) {
      const domain = await findPublished(db, name.slice(dmarcName('').length), null);
      return found(dmarcValue(domain && reports?.of('dmarc', domain)));
    }
    const [, selector, below] = DKIM_NAME.exec(name) ?? [];
    const row = await findPublished(db, below ?? name, selector ?? null);
    if (row === undefined) return secondKey(db, below, selector);
    if (dkimName(row) !== name) return found(spfValue(row.domain, host));
    return row.public_key === null ? UNKNOWN : found(dkimValue(row.public_key));
  };
}

/** Tries the cells in turn, because any of them may have registered the domain. */
export function createSandboxTxtOfCells(
  cells: readonly { readonly db: Sql }[],
  options: Omit<SandboxDnsOptions, 'db'>,
): LookUpTxt {
  const lookUps = cells.map(({ db }) => createSandboxTxt({ ...options, db }));
  return async (name) => {
    for (const lookUp of lookUps.slice(0, -1)) {
      const answer = await lookUp(name);
      if (answer.kind !== 'nxdomain') return answer;
    }
    return (lookUps.at(-1) as LookUpTxt)(name);
  };
}

/** Both records of a domain whose key is being rotated. */
async function secondKey(db: Sql, domain: string | undefined, selector: string | undefined) {
  if (domain === undefined || selector === undefined) return UNKNOWN;
  const other = await findPublishedRotation(db, domain, selector);
  return other === undefined ? UNKNOWN : found(dkimValue(other.public_key));
}

const UNKNOWN: Answer<string> = { kind: 'nxdomain' };
const DKIM_NAME = /^([^.]+)\._domainkey\.(.+)$/;

function found(text: string): Answer<string> {
  return { kind: 'found', records: [text] };
}
