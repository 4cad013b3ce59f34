/**
 * Writes answers by their schemas, which is faster than JSON.stringify and lets nothing out that no schema names. Each
 * serializer is compiled when it is first needed: there are hundreds, together a quarter of a start, and most processes
 * are never asked for most of them. A test compiles all at the start, so that a mistake in one stops it and no customer.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import { atFirstUse } from './at-first-use.ts';

export function createSerializerCompiler(compileAtStart = false): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()({}, {}) as FastifySerializerCompiler<unknown>;
  return (route) => {
    const serializer = atFirstUse(() => compile(route));
    if (compileAtStart) serializer();
    return (data) => serializer()(data);
  };
}
