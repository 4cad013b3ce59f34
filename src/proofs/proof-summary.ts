/**
 * Summarizes a proof for each recipient in a few lines of text. Pure. The signature does not make the content
 * trusted.
 */
import { makeSafe } from '../protocols/smtp/reply-parser.ts';
import type { Proof, ProofEntry } from './chain.ts';

interface ProvenDelivery {
  readonly recipient: string;
  readonly at: string;
  readonly server: string;
  readonly reply: string;
  readonly tls: string | null;
  readonly certificateSha256: string | null;
  readonly messageSha256: string | null;
}

/** Each acceptance by a server, oldest first. */
export function acceptancesIn({ entries }: Proof): ProvenDelivery[] {
  const all = entries.map(({ entry }) => entry);
  return all
    .filter((entry) => entry.kind === 'event' && entry.type === 'delivered')
    .map((event) => {
      const attempt = all.find((one) => isAttemptOf(one, event));
      return {
        recipient: textOf(event.recipient),
        at: textOf(event.created_at),
        server: textOf(event.mx_host),
        reply: `${textOf(event.smtp_code)} ${textOf(event.smtp_message)}`.trim(),
        tls: event.tls === null ? null : textOf(event.tls),
        certificateSha256: fieldOf(event.tls_certificate, 'sha256'),
        messageSha256: fieldOf(attempt?.message, 'sha256'),
      };
    });
}

export function wordsOf(proof: Proof): string[] {
  const [email] = proof.entries.map(({ entry }) => entry).filter(({ kind }) => kind === 'email');
  const deliveries = acceptancesIn(proof);
  return [
    `Email ${makeSafe(proof.email_id)} of ${textOf(email?.created_at)}, ${textOf(email?.mode)} mode, from ${fieldOf(email?.from, 'email')}: ${textOf(email?.subject)}`,
    `Issued by ${makeSafe(proof.issuer)} at ${makeSafe(proof.issued_at)}, ${proof.entries.length} entries.`,
    ...(deliveries.length === 0 ? ['No server had taken it.'] : deliveries.flatMap(deliveryWords)),
  ];
}

function deliveryWords(one: ProvenDelivery): string[] {
  const { certificateSha256, messageSha256, tls } = one;
  return [
    `${one.recipient}: taken by ${one.server} at ${one.at}: ${one.reply}`,
    `  TLS          ${tls ?? 'none'}`,
    ...(certificateSha256 === null ? [] : [`  certificate  SHA-256 ${certificateSha256}`]),
    `  message      ${messageSha256 === null ? 'its hash was not recorded' : `SHA-256 ${messageSha256}`}`,
  ];
}

function isAttemptOf(entry: ProofEntry, event: ProofEntry): boolean {
  const { kind, recipient, attempt } = entry;
  return kind === 'attempt' && recipient === event.recipient && attempt === event.attempt;
}

/** Others wrote some of the text, so characters that affect a terminal are removed. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? makeSafe(String(value)) : '';
}

function fieldOf(value: unknown, field: string): string | null {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : null;
  return typeof found === 'string' ? makeSafe(found) : null;
}
