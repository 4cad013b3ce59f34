/** The OpenAPI document, and its examples. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleApp } from '../../test/support/http-example.ts';
import type { Document, Schema } from './docs-document.ts';
import { exampleOf } from './example-values.ts';
import { openApiDocument } from './openapi.ts';

let app: FastifyInstance;
let document: Document;
beforeAll(async () => {
  app = exampleApp();
  document = (await app.inject('/openapi.json')).json<Document>();
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  it('is serialized once for all requests', async () => {
    const own = exampleApp();
    await own.ready();
    let written = 0;
    const toJSON = () => {
      written += 1;
      return {};
    };
    Object.defineProperty(openApiDocument(own), 'toJSON', { value: toJSON });
    for (let i = 0; i < 3; i += 1) expect((await own.inject('/openapi.json')).body).toBe('{}');
    expect(written).toBe(1);
    await own.close();
  });

  it('shows each path once, relative to the canonical address', () => {
    expect(document.servers).toEqual([{ url: 'http://localhost:3000/api/v1' }]);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/letters', '/letters/{id}', '/letters/{id}/cancel']),
    );
    expect(Object.keys(document.paths).filter((path) => /v1|\*|health|docs/.test(path))).toEqual([]);
  });

  it('defines shared schemas once and refers to them', () => {
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining(['Address', 'Letter', 'Pagination', 'Error']),
    );
    const body = document.paths['/letters']?.post?.requestBody?.content?.['application/json']?.schema;
    expect(body?.properties?.from).toEqual({ $ref: '#/components/schemas/Address' });
  });

  it('describes the schemas that validate', () => {
    const body = document.paths['/letters']?.post?.requestBody?.content?.['application/json']?.schema;
    expect(body).toMatchObject({ additionalProperties: false, properties: { subject: { maxLength: 998 } } });
  });

  it('does not call a field required that has a default', () => {
    const body = document.paths['/letters']?.post?.requestBody?.content?.['application/json']?.schema;
    expect(body?.required).toEqual(['from', 'to', 'subject']);
    const page = document.paths['/letters']?.get?.parameters?.find(({ name }) => name === 'page');
    expect(page).toMatchObject({ required: false, schema: { default: 1, minimum: 1 } });
  });

  it('lists the errors of a route, its own among them', () => {
    const responses = document.paths['/letters']?.post?.responses ?? {};
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '413', '415', '429', '500', '503']);
    expect(responses['400']?.description).toMatch(/VALIDATION_ERROR.*\n.*DOMAIN_NOT_VERIFIED/);
  });

  it('documents for every operation that unexpected input is refused', () => {
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
      expect(operation.responses?.['400']?.description).toMatch(/VALIDATION_ERROR/);
  });

  it('documents for every operation but GET that its body may be too large or of another type', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.entries(path));
    for (const [method, { responses = {} }] of operations)
      expect(['413' in responses, '415' in responses]).toEqual(
        method === 'get' ? [false, false] : [true, true],
      );
  });

  it('shows the headers of every answer', () => {
    const { responses = {} } = document.paths['/letters']?.get ?? {};
    const always = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(always);
    expect(Object.keys(responses['429']?.headers ?? {})).toEqual([...always, 'Retry-After']);
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/headers\/([^"]+)"/g))
      expect(document.components?.headers).toHaveProperty([String(name)]);
  });

  it('has an example of every success', () => {
    const answer = document.paths['/letters/{id}']?.get?.responses?.['200'];
    expect(answer?.content?.['application/json']?.example).toMatchObject({
      data: { sent_at: expect.any(String) },
    });
  });

  it('has every reference resolved and every operation named once', () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components?.schemas).toHaveProperty([String(name)]);
    }
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((one) => one.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('requires a key or a session, except on public routes', () => {
    expect(document).toMatchObject({ security: [{ bearer: [] }, { session: [] }] });
    expect(document.paths['/failures/nobody']?.get?.security).toEqual([]);
  });
});

describe('the example of a schema', () => {
  it('ends where a schema contains itself', () => {
    const node: Schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    };
    const recursive: Document = { ...document, components: { schemas: { Node: node } } };
    expect(exampleOf({ $ref: '#/components/schemas/Node' }, recursive)).toHaveProperty('children');
  });

  it('uses the examples of the schema', () => {
    const schema = Type.Object({
      id: Type.String({ examples: ['dom_1'] }),
      email: Type.String(),
      n: Type.Integer(),
    });
    expect(exampleOf(schema as unknown as Schema, document)).toEqual({
      id: 'dom_1',
      email: 'ada@example.org',
      n: 1,
    });
  });
});
