import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { LongTexts } from './long-texts.ts';

async function answered(html: string, file: Buffer) {
  const app = fastify();
  const schema = {
    response: { 200: { type: 'object', properties: { html: { type: 'string' }, file: { type: 'string' } } } },
  };
  app.get('/', { schema }, async (_request, reply) => {
    const texts = new LongTexts();
    return texts.answer(reply, { html: texts.put(html), file: texts.put(file), secret: 'not in the schema' });
  });
  const { body, headers } = await app.inject({ url: '/' });
  await app.close();
  return { body, type: headers['content-type'] };
}

describe('an answer with long texts', () => {
  it.each([
    ['short', 10],
    ['long', 200_000],
  ])('is the JSON that it would be otherwise: %s ones', async (_, times) => {
    const html = '"é\u2028\\\n😀<p>\ud800 '.repeat(times);
    const file = Buffer.alloc(times * 3 + 1, 'file');
    const { body, type } = await answered(html, file);
    expect(JSON.parse(body)).toEqual({ html, file: file.toString('base64') });
    expect(type).toBe('application/json; charset=utf-8');
  });
});
