/** Signatures as Standard Webhooks 1.0 has them: HMAC-SHA256 over id, time and body, one for each secret. */
import { createHmac } from 'node:crypto';
import type { WebhookFormat } from '../endpoints/store.ts';

export interface Signed {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** What the headers' names begin with, and for those who verify with Svix's own library also `svix`. */
export type HeaderPrefix = 'webhook' | 'svix';

/** Resend sends with Svix, whose own library knows other names. */
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
