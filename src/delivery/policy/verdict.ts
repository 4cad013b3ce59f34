import type { CertificateFacts } from '../../kit/smtp/facts.ts';

/** What is recorded about a finished attempt: an outcome with its facts, and for a deferral when the next try is. */
export interface AttemptFacts {
  readonly mxHost: string | null;
  readonly smtpCode: number | null;
  readonly smtpMessage: string | null;
  readonly enhancedCode: string | null;
  readonly tls: string | null;
  readonly tlsCertificate?: CertificateFacts | null;
  /** From a closed list; null when all went well. */
  readonly reason: string | null;
}

export type Verdict =
  | (AttemptFacts & { readonly kind: 'delivered' | 'bounced' | 'failed' | 'rejected' })
  | (AttemptFacts & { readonly kind: 'deferred'; readonly nextAttemptAtMs: number });
