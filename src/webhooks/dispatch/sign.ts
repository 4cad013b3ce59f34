/** Signatures of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body, one per secret. */
import { createHmac } from 'node:crypto';
import type { WebhookFormat } from '../endpoints/store.ts';

interface Signed {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The prefix of the header names; `svix` for receivers that verify with Svix's own library. */
type HeaderPrefix = 'webhook' | 'svix';

/** Resend sends through Svix, whose library expects other names. */
export function prefixesOf(format: WebhookFormat): readonly HeaderPrefix[] {
  return format === 'resend' ? ['webhook', 'svix'] : ['webhook'];
}

export function signatureHeaders(
  secrets: readonly Buffer[],
  { id, timestamp, body }: Signed,
  prefixes: readonly HeaderPrefix[],
): Record<string, string> {
  const text = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(text).digest('base64')}`,
  );
  return Object.fromEntries(
    prefixes.flatMap((prefix) => [
      [`${prefix}-id`, id],
      [`${prefix}-timestamp`, String(timestamp)],
      [`${prefix}-signature`, signatures.join(' ')],
    ]),
  );
}
