/**
 * What an SMTP conversation can end in, as plain facts. Nothing here says what a fact means for a message:
 * whether to retry, bounce or suppress is decided elsewhere from these values alone.
 */
import type { DaneTarget } from './dane.ts';

/** `implicit` is TLS from the first byte (port 465); the others wait for STARTTLS to be offered. */
export type TlsMode = 'opportunistic' | 'required' | 'implicit' | 'never';

/**
 * What TLS is there for: the host's TLSA records, the domain's MTA-STS policy, the demand of the mail itself, the provider's
 * demands, the operator's relay, or because it is offered.
 */
export const TLS_POLICIES = ['dane', 'mta_sts', 'require_tls', 'provider', 'relay', 'opportunistic'] as const;
export type TlsPolicy = (typeof TLS_POLICIES)[number];

/**
 * How it is known that the host is the recipient's, and not one that somebody put into an answer of DNS: by an answer that
 * was validated, the domain's MTA-STS policy, because it has the name of the domain, or because it was not asked of DNS
 * (`ours`: the operator named it). `unknown`: whether there is a policy could not be found out.
 */
export type NameProof = 'dnssec' | 'mta_sts' | 'domain' | 'ours' | 'unknown';

/** Of the server's certificate. */
export interface CertificateFacts {
  /** It is valid, of an authority that is trusted, and in the name of the host; or it is the one that DNS vouches for. */
  readonly verified: boolean;
  readonly policy: TlsPolicy;
  readonly issuer: string | null;
  /** Of the certificate, in hexadecimal; null where there was none to see. */
  readonly sha256: string | null;
  /** Why it is not verified, in words. */
  readonly problem: string | null;
}

export interface SmtpTarget {
  /** The MX or relay name: used for TLS (SNI, session reuse, verification) and in reports, never resolved. */
  readonly host: string;
  /** The IP address that is dialled. */
  readonly address: string;
  readonly port: number;
  readonly tls: TlsMode;
  readonly ehloName: string;
  /** The address of this machine to connect from; the system chooses where absent. */
  readonly localAddress?: string;
  readonly verifyCertificate?: boolean;
  /** What DNS vouches for instead of authorities. */
  readonly dane?: DaneTarget;
  /** Absent where nothing proves it. */
  readonly nameProof?: NameProof;
  /** It never leaves this machine: nothing is demanded of the connection. */
  readonly isSandbox?: boolean;
  /** For reports only; `opportunistic` where absent. */
  readonly tlsPolicy?: TlsPolicy;
  readonly auth?: SmtpCredentials;
  /** Targets of one group share `maxConnections`, resting connections included. */
  readonly group?: string;
  /** Caps of this destination; the pool's own apply where absent. */
  readonly maxConnections?: number;
  readonly maxMessagesPerConnection?: number;
}

export interface SmtpCredentials {
  readonly user: string;
  readonly password: string;
  /** Credentials go out in clear only when this says so. */
  readonly allowWithoutTls?: boolean;
}

/** What a message itself has to say about TLS (RFC 8689). */
export type MessageTls = 'optional' | 'required';

export interface Envelope {
  /** Reverse-path without brackets; '' is the null sender. */
  readonly from: string;
  readonly to: string;
  readonly smtpUtf8: boolean;
  /**
   * `optional`: the message is to arrive, whatever is demanded of the connection. `required`: it goes to verified servers
   * alone, which promise to demand the same of the next (REQUIRETLS).
   */
  readonly tls?: MessageTls | undefined;
}

/** Asked right before the final dot: false calls the message off. */
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
  /** The address to connect from is not on this machine. */
  | 'no_source'
  | 'tls'
  /** TLS worked, and the server's certificate is not good. */
  | 'certificate'
  | 'garbage'
  | 'injection'
  | 'stopped';

export type LocalProblem =
  | 'too_large'
  | 'smtputf8_unsupported'
  | 'starttls_not_offered'
  /** Of mail that demands TLS: the server does not promise to demand it of the next. */
  | 'requiretls_not_offered'
  /** Of mail that demands TLS: nothing proves that the server is the recipient's, or nobody could find out. */
  | 'server_unproven'
  | 'server_proof_unknown'
  | 'auth_not_offered'
  | 'auth_needs_tls';

export interface SmtpReply {
  readonly code: number;
  /** RFC 3463 status such as '5.1.1', when the server gave one. */
  readonly enhanced: string | null;
  /** All lines joined, at most about 1,000 characters, free of control characters. */
  readonly text: string;
}

export interface SmtpAccepted {
  readonly kind: 'accepted';
  readonly reply: SmtpReply;
}

/** The server answered, and the answer was 4xx or 5xx. */
export interface SmtpRefused {
  readonly kind: 'refused';
  readonly phase: SmtpPhase;
  readonly reply: SmtpReply;
  /** Of a connection that was refused before it could be used: how many others we had there, ready or in use. */
  readonly openBeside?: number;
}

/** The conversation ended without an answer that can be used. */
export interface SmtpBroken {
  readonly kind: 'broken';
  readonly phase: SmtpPhase;
  readonly failure: SmtpFailure;
  readonly detail: string;
  /** The final dot had been written: the server may or may not have the message. */
  readonly afterDot: boolean;
}

/** The server's announced abilities do not fit, so nothing was asked of it. */
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
  /** Protocol and cipher, e.g. 'TLSv1.3 TLS_AES_256_GCM_SHA384'; null in clear. */
  readonly tls: string | null;
  /** Null in clear. */
  readonly certificate?: CertificateFacts | null;
  readonly reused: boolean;
  /** Why it was not encrypted, or what was tried before, in words; for reports. */
  readonly tlsProblem?: string;
  /** Commands ('> ') and replies ('< ') of this attempt, without message content or credentials. */
  readonly transcript: readonly string[];
}

export type SmtpFacts = SmtpFinding & SmtpSession;
