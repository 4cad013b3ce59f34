/**
 * The outcomes of an SMTP conversation, as plain facts. What a fact means for a message (retry, bounce,
 * suppression) is decided elsewhere from these values alone.
 */
import type { DaneTarget } from './dane.ts';

/** `implicit` is TLS from the first byte (port 465); the others need STARTTLS. */
export type TlsMode = 'opportunistic' | 'required' | 'implicit' | 'never';

/**
 * The origin of the TLS requirement: the host's TLSA records, the domain's MTA-STS policy, the mail itself,
 * the provider's rules, the operator's relay, or only the server's offer.
 */
export const TLS_POLICIES = ['dane', 'mta_sts', 'require_tls', 'provider', 'relay', 'opportunistic'] as const;
export type TlsPolicy = (typeof TLS_POLICIES)[number];

/**
 * How the host is proven to be the recipient's, and not one inserted into a DNS answer: by DNSSEC, by the
 * domain's MTA-STS policy, because its name contains the domain, or because the operator configured it
 * (`ours`). `unknown`: the existence of a policy could not be determined.
 */
export type NameProof = 'dnssec' | 'mta_sts' | 'domain' | 'ours' | 'unknown';

export interface CertificateFacts {
  /** Valid, from a trusted authority and for the host's name; or accepted by DANE. */
  readonly verified: boolean;
  readonly policy: TlsPolicy;
  readonly issuer: string | null;
  /** SHA-256 of the certificate in hexadecimal; null without a certificate. */
  readonly sha256: string | null;
  /** Why it is not verified. */
  readonly problem: string | null;
}

export interface SmtpTarget {
  /** The MX or relay name, for TLS (SNI, session reuse, verification) and reports; never resolved. */
  readonly host: string;
  /** The IP address to dial. */
  readonly address: string;
  readonly port: number;
  readonly tls: TlsMode;
  readonly ehloName: string;
  /** The local address to connect from; chosen by the system if missing. */
  readonly localAddress?: string;
  readonly verifyCertificate?: boolean;
  /** DANE requirements, which replace the trusted authorities. */
  readonly dane?: DaneTarget;
  /** Missing without a proof. */
  readonly nameProof?: NameProof;
  /** The connection stays on this machine, so nothing is required of it. */
  readonly isSandbox?: boolean;
  /** For reports only; `opportunistic` by default. */
  readonly tlsPolicy?: TlsPolicy;
  readonly auth?: SmtpCredentials;
  /** Targets of one group share `maxConnections`, including idle connections. */
  readonly group?: string;
  /** Limits of this destination; defaults to the pool's own. */
  readonly maxConnections?: number;
  readonly maxMessagesPerConnection?: number;
}

export interface SmtpCredentials {
  readonly user: string;
  readonly password: string;
  readonly allowWithoutTls?: boolean;
}

/** A message's own TLS requirement (RFC 8689). */
export type MessageTls = 'optional' | 'required';

export interface Envelope {
  /** Reverse-path without brackets; '' is the null sender. */
  readonly from: string;
  readonly to: string;
  readonly smtpUtf8: boolean;
  /**
   * `optional`: the message is delivered even if the connection does not meet requirements. `required`: only
   * to verified servers that support REQUIRETLS.
   */
  readonly tls?: MessageTls | undefined;
}

/** Called right before the final dot: false aborts the message. */
export type MayEnd = () => boolean;

export type SmtpPhase =
  | 'connect'
  | 'banner'
  | 'ehlo'
  | 'starttls'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  | 'dot';

export type SmtpFailure =
  | 'timeout'
  | 'closed'
  | 'reset'
  | 'refused'
  | 'unreachable'
  /** The local address does not exist on this machine. */
  | 'no_source'
  | 'tls'
  /** TLS succeeded, but the server's certificate is not acceptable. */
  | 'certificate'
  | 'garbage'
  | 'injection'
  | 'stopped';

export type LocalProblem =
  | 'too_large'
  | 'smtputf8_unsupported'
  | 'starttls_not_offered'
  /** The mail requires TLS, but the server does not offer REQUIRETLS. */
  | 'requiretls_not_offered'
  /** The mail requires TLS, but the server is not proven to be the recipient's. */
  | 'server_unproven'
  | 'server_proof_unknown'
  | 'auth_not_offered'
  | 'auth_needs_tls';

export interface SmtpReply {
  readonly code: number;
  /** RFC 3463 status such as '5.1.1', when the server gave one. */
  readonly enhanced: string | null;
  /** All lines joined, at most about 1,000 characters, without control characters. */
  readonly text: string;
}

interface SmtpAccepted {
  readonly kind: 'accepted';
  readonly reply: SmtpReply;
}

/** The server replied with 4xx or 5xx. */
interface SmtpRefused {
  readonly kind: 'refused';
  readonly phase: SmtpPhase;
  readonly reply: SmtpReply;
  /** For a connection refused before use: the number of other open connections to the destination. */
  readonly openBeside?: number;
}

/** The conversation ended without a usable reply. */
export interface SmtpBroken {
  readonly kind: 'broken';
  readonly phase: SmtpPhase;
  readonly failure: SmtpFailure;
  readonly detail: string;
  /** The final dot was written, so the server may have the message. */
  readonly afterDot: boolean;
}

/** The server's capabilities do not fit, so nothing was sent. */
export interface SmtpLocal {
  readonly kind: 'local';
  readonly problem: LocalProblem;
  readonly detail: string;
}

export type SmtpFinding = SmtpAccepted | SmtpRefused | SmtpBroken | SmtpLocal;

export interface SmtpSession {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Protocol and cipher, e.g. 'TLSv1.3 TLS_AES_256_GCM_SHA384'; null without TLS. */
  readonly tls: string | null;
  /** Null without TLS. */
  readonly certificate?: CertificateFacts | null;
  readonly reused: boolean;
  /** Why TLS was not used, or failed earlier; for reports. */
  readonly tlsProblem?: string;
  /** Commands ('> ') and replies ('< ') of this attempt, without message content or credentials. */
  readonly transcript: readonly string[];
}

export type SmtpFacts = SmtpFinding & SmtpSession;
