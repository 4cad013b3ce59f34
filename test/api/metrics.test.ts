/** Access to the metrics of the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { lintExposition } from '../support/metric-lint.ts';

const TOKEN = 'a-token-for-the-metrics';
let database: TestDatabase;
let live: TestApi;
let guarded: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  live = await startApi({ database, env: { POSTRIDER_MODE: 'live' } });
  guarded = await startApi({ database, env: { POSTRIDER_METRICS_TOKEN: TOKEN } });
});
afterAll(async () => {
  await Promise.all([live.stop(), guarded.stop()]);
  await database.drop();
});

async function ask(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text() };
}

describe('in live mode', () => {
  it('are not served beside the API, and the answer says what to set', async () => {
    const { status, text } = await ask(`${live.url}/metrics`);
    expect(status).toBe(404);
    expect(text).toMatch(/POSTRIDER_METRICS_TOKEN.*POSTRIDER_METRICS_PORT/);
    expect(text).not.toContain('postrider_http_requests_total');
  });
});

describe('with a token', () => {
  it('are for who has it, in the sandbox too', async () => {
    const url = `${guarded.url}/metrics`;
    for (const headers of [{}, { authorization: 'Bearer another-token-of-the-tests' }]) {
      const { status, text } = await ask(url, headers as Record<string, string>);
      expect([status, JSON.parse(text).error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    const { status, text } = await ask(url, { authorization: `Bearer ${TOKEN}` });
    expect([status, text]).toEqual([200, expect.stringContaining('postrider_http_requests_total')]);
    expect(lintExposition(text)).toEqual([]);
  });
});
