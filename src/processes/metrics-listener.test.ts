import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { MetricsListener } from './metrics-listener.ts';

const TOKEN = 'a-token-for-the-metrics';

let listener: MetricsListener;
afterEach(() => listener.stop());

async function start(env: Record<string, string> = {}, text = async () => 'mails{role="api"} 1\n') {
  listener = new MetricsListener({
    config: parseConfig({ POSTRIDER_METRICS_PORT: '0', ...env }),
    log: createLog('test', 'silent'),
    metrics: { contentType: 'text/plain; version=0.0.4', text },
  });
  await listener.start();
}

function ask(
  path = '/metrics',
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number | undefined; type: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: listener.port, path, method, headers };
    request(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, type: response.headers['content-type'], text });
    })
      .on('error', reject)
      .end();
  });
}

it('serves metrics on loopback, and nothing else', async () => {
  await start();
  expect(await ask()).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4',
    text: 'mails{role="api"} 1\n',
  });
  expect((await ask('/healthz')).status).toBe(404);
  expect((await ask('/metrics', {}, 'POST')).status).toBe(404);
});

it('refuses pages of other sites whose name points here', async () => {
  await start();
  expect((await ask('/metrics', { host: 'rebound.evil.example' })).status).toBe(401);
});

it('requires the token when one is set', async () => {
  await start({ POSTRIDER_METRICS_TOKEN: TOKEN });
  expect((await ask()).status).toBe(401);
  expect((await ask('/metrics', { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});

it('answers 500 when metrics cannot be collected, and keeps running', async () => {
  await start({}, () => Promise.reject(new Error('broken')));
  expect((await ask()).status).toBe(500);
  expect((await ask()).status).toBe(500);
});

it('continues without a port that is taken', async () => {
  await start();
  const second = new MetricsListener({
    config: parseConfig({ POSTRIDER_METRICS_PORT: String(listener.port) }),
    log: createLog('test', 'silent'),
    metrics: { contentType: 'text/plain', text: async () => '' },
  });
  await second.start();
  await second.stop();
  expect((await ask()).status).toBe(200);
});
