/** A request of a customer over HTTP, and what was answered. */
import { Agent, request } from 'node:http';
import type { Answer } from './ingress.ts';
import { KEY } from './installation.ts';

/** Longer than the API's own patience, shorter than ours. */
const ANSWER_WITHIN_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 500 });

/** Rejects when there was no answer. */
export function post(url: string, body: string, idempotencyKey: string | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (!response.complete) reject(new Error('the answer was cut off'));
        else resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(body);
  });
}
