/**
 * Serializes responses by their schemas, which is faster than JSON.stringify and omits fields that no schema
 * names. Serializers are compiled on first use: all of them together take a quarter of the start, and most
 * processes never use most of them. A test compiles all of them, so that a mistake fails the test instead of
 * a customer's request.
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
