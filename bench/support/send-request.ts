import type { Installation } from './installation.ts';
import type { HttpRequest } from './load.ts';
import { receipt } from './receipt.ts';

/** The request that measures acceptance: a receipt of 4 KB to one person. */
export function sendRequest({ headers }: Installation, path = '/api/v1/emails/send'): HttpRequest {
  const { html, subject } = receipt();
  const from = { email: 'orders@sandbox.test', name: 'The Shop' };
  return {
    method: 'POST',
    path,
    headers,
    body: { from, to: [{ email: 'zoe@example.org', name: 'Zoë' }], subject, html },
  };
}
