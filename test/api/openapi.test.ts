/** The OpenAPI document of the real API must be complete and correct, because clients are generated from it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRequest } from '../../docs-site/reference/request.ts';
import type { Document, Operation } from '../../src/http/docs-document.ts';
import { OPERATION_IDS } from '../../src/processes/operation-ids.ts';
import { WEBHOOK_TYPES } from '../../src/webhooks/endpoints/schema.ts';
import { startApi, type TestApi } from '../support/api.ts';

let server: TestApi;
let document: Document;
beforeAll(async () => {
  // Each schema that a request is held against is sound, or this does not start.
  server = await startApi({ compileSchemasAtStart: true });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
});
afterAll(() => server.stop());

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [`${method} ${path}`, one]),
  );

describe('the OpenAPI document of the API', () => {
  it('has 400 and the usual headers in every operation', () => {
    const without = operations().filter(
      ([, { responses = {} }]) =>
        !responses['400'] || Object.values(responses).some((one) => !('X-Request-Id' in (one.headers ?? {}))),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('has one success in every operation, so that clients made from it have one type', () => {
    const successes = operations().map(([name, { responses = {} }]) => {
      return [name, Object.keys(responses).filter((status) => status.startsWith('2')).length];
    });
    expect(successes.filter(([, count]) => count !== 1)).toEqual([]);
    expect(document.paths['/emails/send/dry-run']?.post?.responses).toHaveProperty('200');
  });

  it('has a readable name for every operation, which src/processes/operation-ids.ts gives', () => {
    const named = operations().map(([name, { operationId }]) => {
      const [method = '', path = ''] = name.split(' ');
      return [`${method.toUpperCase()} ${path}`, operationId];
    });
    expect(Object.fromEntries(named)).toEqual(OPERATION_IDS);
    const ids = named.map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*$/.test(id ?? ''))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listEmails', 'getBatch', 'sendEmail']));
  });

  it('has an example of every body', () => {
    const without = operations().filter(([, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).some(({ example }) => example === undefined),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('has an example of every success that is JSON', () => {
    const without = operations().filter(([, { responses = {} }]) =>
      Object.entries(responses).some(
        ([status, { content }]) =>
          status < '300' &&
          content?.['application/json'] &&
          content['application/json'].example === undefined,
      ),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('has no example with a hole in it, and sends from a domain that the sandbox has', () => {
    const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        JSON.stringify(exampleRequest({ method: method.toUpperCase(), path, operation }, document)),
      ),
    );
    expect(requests.filter((text) => text.includes('…'))).toEqual([]);
    const sending = requests.filter((text) => text.includes('"from":{'));
    expect(sending).toHaveLength(8);
    for (const text of sending) expect(text).toContain('"email":"hello@sandbox.test"');
  });

  it('says that a send needs one of html, text and template_id', () => {
    const schema = document.paths['/emails/send']?.post?.requestBody?.content?.['application/json']?.schema;
    expect(schema?.anyOf).toEqual([
      { required: ['html'] },
      { required: ['text'] },
      { required: ['template_id'] },
    ]);
    expect(JSON.stringify(document)).not.toMatch(/oneNeeded|judgedApart/);
  });

  it('says what a replay is marked with', () => {
    const headers = document.paths['/emails/send']?.post?.responses?.['201']?.headers ?? {};
    expect(Object.keys(headers)).toContain('Idempotent-Replayed');
  });

  it('gives the stream its type and the header to come back with', () => {
    const stream = document.paths['/events/stream']?.get;
    expect(Object.keys(stream?.responses?.['200']?.content ?? {})).toEqual(['text/event-stream']);
    expect(stream?.parameters?.map(({ name }) => name)).toContain('last-event-id');
  });

  it('describes what endpoints are sent, for every type of event', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...WEBHOOK_TYPES, 'webhook.test']);
    expect(document.webhooks?.['email.bounced']).toMatchObject({
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                properties: {
                  type: { const: 'email.bounced' },
                  data: {
                    properties: { smtp_code: { type: ['integer', 'null'] }, subject: { type: 'string' } },
                  },
                },
              },
            },
          },
        },
      },
    });
  });
});
