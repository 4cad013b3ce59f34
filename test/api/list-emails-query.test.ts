import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const list = (query: Record<string, string>) =>
  server.api('GET', `/emails?${new URLSearchParams(query)}`, undefined, org.key);

describe('a query that makes no sense', () => {
  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page', ''],
    ['page', '1e3'],
    ['page', '10000000000'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'all'],
    ['limit', ''],
    ['status', 'sent'],
    ['status', 'Queued'],
    ['status', ''],
    ['status', 'delivered,'],
    ['status', 'delivered, opened'],
    ['from_date', 'yesterday'],
    ['from_date', '2029-02-30'],
    ['from_date', '2029-3-1'],
    ['from_date', ''],
    ['to_date', '11.03.2029'],
    ['to_date', '2029-03-11T25:00Z'],
    ['to_date', '1867881600000'],
    ['to', 'bob'],
    ['to', ''],
    ['to', '@'],
    ['to', 'a b@example.org'],
    ['from', 'example.org'],
    ['from', 'a@'],
    ['subject', ''],
    ['subject', 'x'.repeat(201)],
    ['subject', 'a\0'],
    ['tag', ''],
    ['batch_id', 'x'.repeat(65)],
  ])('is refused: %s=%s', async (name, value) => {
    const answer = await list({ [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(fieldsOf(answer)).toEqual([name]);
  });

  it('is refused when a filter is given twice', async () => {
    const answer = await server.api('GET', '/emails?status=queued&status=failed', undefined, org.key);
    expect(answer.status).toBe(400);
    expect(new Set(fieldsOf(answer))).toEqual(new Set(['status']));
  });

  it('is refused with the parameter that was meant', async () => {
    const answer = await list({ form_date: '2029-01-01' });
    expect(fieldsOf(answer)).toEqual(['form_date']);
    expect(answer.body.error.details[0].message).toContain('`from_date`');
  });

  it('hears about everything at once', async () => {
    const answer = await list({ page: '0', limit: '500', status: 'x', to: 'y', from_date: 'z' });
    expect(fieldsOf(answer).sort()).toEqual(['from_date', 'limit', 'page', 'status', 'to']);
  });
});
