/** What the customers need before they can send: a verified domain, a template, a webhook. All of it over the API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from './installation.ts';
import { SENDER_DOMAIN, TEMPLATE } from './mail.ts';
import type { Outside } from './outside.ts';

const TIMEOUT_MS = 60_000;

/** Returns the template's id. */
export async function furnish(url: string, outside: Outside): Promise<string> {
  const domain = await call<{ id: string; dns_records: { name: string; value: string }[] }>(url, '/domains', {
    domain: SENDER_DOMAIN,
  });
  for (const { name, value } of domain.dns_records) outside.publish(name, value);
  await verified(url, domain.id);
  await call(url, '/webhooks', { url: `https://127.0.0.1:${outside.at.hooksPort}/hook` });
  return (await call<{ id: string }>(url, '/templates', TEMPLATE)).id;
}

/** The records are published by a message to another process: the first look may come too early. */
async function verified(url: string, id: string): Promise<void> {
  for (let i = 0; i < 50; i += 1) {
    const { is_verified } = await call<{ is_verified: boolean }>(url, `/domains/${id}/verify`);
    if (is_verified) return;
  }
  throw new Error('The domain could not be verified.');
}

/** A busy machine may have asked for patience: nothing was done then. */
async function call<Data>(url: string, path: string, body?: object): Promise<Data> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Data };
    if (response.ok) return answer.data;
    const isLater = response.status === 429 || response.status === 503;
    if (!isLater || performance.now() > deadline)
      throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    await sleep(500);
  }
}
