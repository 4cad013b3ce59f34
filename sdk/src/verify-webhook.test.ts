/** Against the reference implementation of Standard Webhooks, which signs here. */
import { webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookProblem } from './verify-webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const NOW = 1_794_715_325_000;
const BODY = JSON.stringify({ type: 'webhook.test', timestamp: 'x', data: { id: 'evt_1', test: true } });

function headersFor(body: string, { secret = SECRET, atMs = NOW, id = 'evt_1' } = {}) {
  const at = new Date(atMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

async function problemOf(verified: Promise<unknown>): Promise<WebhookProblem | 'none'> {
  return verified.then(
    () => 'none',
    (error: { reason: WebhookProblem }) => error.reason,
  );
}

describe('a signed webhook', () => {
  it('is taken as text, as bytes and as a buffer, with headers of every kind', async () => {
    const headers = headersFor(BODY);
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer])
      for (const given of [headers, new Headers(headers), capitals])
        expect(await verifyWebhook(body, given, SECRET, { now: NOW })).toEqual(JSON.parse(BODY));
  });

  it('is the same to us and to the reference, whatever is inside', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.stringMatching(/^[\w.]{1,40}$/), async (body, id) => {
        const headers = headersFor(body, { id });
        expect(await verifyWebhook(body, headers, SECRET, { now: NOW })).toEqual(JSON.parse(body));
      }),
      { numRuns: 50 },
    );
  });

  it('may fit any of several secrets and carry any of several signatures', async () => {
    const headers = headersFor(BODY);
    const foreign = `v1a,AAAA v1,not*base64 v1,AAAA ${headers['webhook-signature']}`;
    const rotated = { ...headers, 'webhook-signature': foreign };
    const event = await verifyWebhook(BODY, rotated, [OTHER, SECRET], { now: NOW });
    expect(event.type).toBe('webhook.test');
  });

  it('needs no global crypto where one is handed in', async () => {
    const { subtle } = webcrypto;
    expect(await verifyWebhook(BODY, headersFor(BODY), SECRET, { now: NOW, subtle })).toBeDefined();
  });
});

describe('what is not from us', () => {
  it('is refused when one character differs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), async (at) => {
        const changed = `${BODY.slice(0, at)}\u0001${BODY.slice(at + 1)}`;
        expect(await problemOf(verifyWebhook(changed, headersFor(BODY), SECRET, { now: NOW }))).toBe(
          'wrong_signature',
        );
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['another secret', {}, OTHER, 'wrong_signature'],
    ['another id', { 'webhook-id': 'evt_2' }, SECRET, 'wrong_signature'],
    ['a moved time', { 'webhook-timestamp': String(NOW / 1000 + 1) }, SECRET, 'wrong_signature'],
    ['a version we do not know', { 'webhook-signature': 'v2,AAAA' }, SECRET, 'wrong_signature'],
    ['no id', { 'webhook-id': undefined }, SECRET, 'missing_header'],
    ['no signature', { 'webhook-signature': '' }, SECRET, 'missing_header'],
    ['a time that is none', { 'webhook-timestamp': '1e9' }, SECRET, 'invalid_timestamp'],
    ['a secret that is none', {}, 'whsec_*', 'invalid_secret'],
    ['an empty secret', {}, '', 'invalid_secret'],
  ] as const)('is refused for %s', async (_, changes, secret, problem) => {
    const headers = { ...headersFor(BODY), ...changes };
    expect(await problemOf(verifyWebhook(BODY, headers, secret, { now: NOW }))).toBe(problem);
  });

  it.each([
    [300, 'none'],
    [301, 'too_old'],
    [-300, 'none'],
    [-301, 'too_new'],
  ])('is judged by its age: %i seconds is %s', async (seconds, problem) => {
    const now = NOW + seconds * 1000;
    expect(await problemOf(verifyWebhook(BODY, headersFor(BODY), SECRET, { now }))).toBe(problem);
  });

  it('is as old as the caller allows', async () => {
    const options = { now: NOW + 3_600_000, toleranceSeconds: 3600 };
    expect(await problemOf(verifyWebhook(BODY, headersFor(BODY), SECRET, options))).toBe('none');
  });

  it('is refused when it is signed and not JSON', async () => {
    expect(await problemOf(verifyWebhook('{', headersFor('{'), SECRET, { now: NOW }))).toBe(
      'invalid_payload',
    );
  });
});
