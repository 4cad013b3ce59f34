/** Forwards an event to an application like a webhook, with its own signature. */
import { connectionWords } from '../../protocols/fetch/failure-text.ts';
import { prefixesOf, signatureHeaders } from '../../webhooks/dispatch/sign.ts';
import type { WebhookFormat } from '../../webhooks/endpoints/store.ts';
import type { StreamedEvent } from './event-stream.ts';

export interface Forwarding {
  readonly apiUrl: string;
  readonly key: string;
  readonly to: URL;
  readonly secret: Buffer;
  readonly format: WebhookFormat;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/** The application's response: `200 in 12 ms`, or the error. */
type Forwarded = { readonly answer: string } | 'no word';

const TIMEOUT_MS = 15_000;

export async function forward(event: StreamedEvent, forwarding: Forwarding): Promise<Forwarded> {
  const told = await previewOf(event, forwarding);
  return told === null ? 'no word' : { answer: await post(event, told, forwarding) };
}

interface Preview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function previewOf(
  { id, email_id }: StreamedEvent,
  { apiUrl, key, format, signal }: Forwarding,
): Promise<Preview | null> {
  const response = await fetch(`${apiUrl}/api/v1/emails/${email_id}/events/${id}/webhook?format=${format}`, {
    headers: { authorization: `Bearer ${key}` },
    signal,
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the installation answered ${response.status}`);
  return ((await response.json()) as { data: Preview }).data;
}

async function post(
  { id }: StreamedEvent,
  { headers, body }: Preview,
  { to, secret, format, nowMs, signal }: Forwarding,
): Promise<string> {
  const startedMs = nowMs();
  const signed = { id, timestamp: Math.floor(startedMs / 1_000), body };
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: { ...headers, ...signatureHeaders([secret], signed, prefixesOf(format)) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return `${response.status} in ${nowMs() - startedMs} ms`;
  } catch (error) {
    return `no answer: ${connectionWords((error as Error).cause ?? error)}`;
  }
}
