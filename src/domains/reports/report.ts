/** Receivers' reports about a domain: DMARC (mail sent in its name) and TLS (encryption of mail to it). */
import type { DmarcPolicy } from '../dmarc.ts';

const REPORT_KINDS = ['dmarc', 'tls'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

interface ReportHead {
  /** The reporter's name as the report gives it. */
  readonly reporter: string;
  readonly reportId: string;
  /** The domain of the reported policy. */
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
  /** Null for rows that were merged because there were too many. */
  readonly sourceIp: string | null;
  readonly messages: number;
  /** The action that the receiver took. */
  readonly disposition: DmarcPolicy;
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly headerFrom: string;
  readonly envelopeFrom: string | null;
  /** The domain of a passing signature, or of another one if none passed. */
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
  /** Null for successful sessions. */
  readonly failure: string | null;
  readonly sessions: number;
}

export type DomainReport = DmarcReport | TlsReport;
