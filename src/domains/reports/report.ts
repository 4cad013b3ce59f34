/** What receivers report about a domain: who sent in its name (DMARC), and how mail to it was encrypted (TLS). */
import type { DmarcPolicy } from '../dmarc.ts';

export const REPORT_KINDS = ['dmarc', 'tls'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

interface ReportHead {
  /** Who says so, in their own words. */
  readonly reporter: string;
  readonly reportId: string;
  /** Whose policy it is about. */
  readonly domain: string;
  readonly beginsAtMs: number;
  readonly endsAtMs: number;
}

/** RFC 7489, appendix C, and RFC 9990. */
export interface DmarcReport extends ReportHead {
  readonly kind: 'dmarc';
  readonly rows: readonly DmarcRow[];
}

export interface DmarcRow {
  /** Null for what was added up because there was too much of it. */
  readonly sourceIp: string | null;
  readonly messages: number;
  /** What the receiver did with them. */
  readonly disposition: DmarcPolicy;
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly headerFrom: string;
  readonly envelopeFrom: string | null;
  /** The domain of the most telling signature: one that passed, if any did. */
  readonly dkimDomain: string | null;
  readonly dkimResult: string | null;
  readonly spfDomain: string | null;
  readonly spfResult: string | null;
}

/** RFC 8460. */
export interface TlsReport extends ReportHead {
  readonly kind: 'tls';
  readonly rows: readonly TlsRow[];
}

export interface TlsRow {
  readonly policyDomain: string;
  /** `sts`, `tlsa` or `no-policy-found`. */
  readonly policyType: string;
  readonly mxHost: string | null;
  /** Null: these sessions were well. */
  readonly failure: string | null;
  readonly sessions: number;
}

export type DomainReport = DmarcReport | TlsReport;
