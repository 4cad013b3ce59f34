/**
 * Writes answers by their schemas, which is faster than JSON.stringify and lets nothing out that no schema names. Each
 * serializer is compiled when it is first needed: there are hundreds, together a quarter of a start, and most processes
 * are never asked for most of them. A test compiles all at the start, so that a mistake in one stops it and no customer.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import { lazily, perSchema } from './lazily.ts';

type Serializer = (data: unknown) => string;

const compile = SerializerSelector()({}, {}) as (route: { schema: unknown }) => Serializer;
const serializerOf = perSchema((schema) => lazily(() => compile({ schema })));

export function createSerializerCompiler(compileAtStart = false): FastifySerializerCompiler<unknown> {
  return ({ schema }) => {
    const serializer = serializerOf(schema as object);
    if (compileAtStart) serializer();
    return (data) => serializer()(data);
  };
}
