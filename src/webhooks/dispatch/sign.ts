/** Signatures as Standard Webhooks 1.0 has them: HMAC-SHA256 over id, time and body, one for each secret. */
import { createHmac } from 'node:crypto';

export interface Signed {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

export function signatureHeaders(
  secrets: readonly Buffer[],
  { id, timestamp, body }: Signed,
): Record<string, string> {
  const text = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(text).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
