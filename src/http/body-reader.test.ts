import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { readBody } from './body-reader.ts';

const HURRIED = { graceMs: 20, bytesPerSecond: 1024 * 1024 * 1024, checkMs: 5 };

const requestOf = (length: number | undefined) =>
  ({
    headers: length === undefined ? {} : { 'content-length': String(length) },
    routeOptions: { bodyLimit: 20 * 1024 * 1024 },
  }) as unknown as FastifyRequest;

describe('a body that arrives slowly', () => {
  it.each([
    ['that says it is large', 1024 * 1024],
    ['that does not say how large it is', undefined],
  ])('%s is ended as a time-out', async (_what, length) => {
    const payload = new PassThrough();
    payload.write('[1,');
    await expect(readBody(requestOf(length), payload, HURRIED)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      statusCode: 408,
    });
  });

  it('may be slow where it is small', async () => {
    const payload = new PassThrough();
    payload.write('[1,');
    const body = readBody(requestOf(5), payload, HURRIED);
    setTimeout(() => payload.end('2]'), 3 * HURRIED.graceMs);
    expect((await body).toString()).toBe('[1,2]');
  });

  it('may be slow during the grace period', async () => {
    const payload = new PassThrough();
    const body = readBody(requestOf(100_000), payload, { ...HURRIED, graceMs: 60_000 });
    payload.write(Buffer.alloc(50_000));
    setTimeout(() => payload.end(Buffer.alloc(50_000)), 30);
    expect(await body).toHaveLength(100_000);
  });
});
