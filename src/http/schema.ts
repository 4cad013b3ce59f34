/**
 * Small additions to TypeBox for schemas that validate requests, serialize responses and document both.
 *
 * A schema used in several places should have an `$id` ("Domain"): it becomes a named component of the
 * OpenAPI document. It may be used inline wherever needed.
 */
import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Problems } from '../runtime/problems.ts';

type Options = Readonly<Record<string, unknown>>;

/** An object that refuses unknown fields; the base of every request body. */
export function strictObject<P extends TProperties>(properties: P, options: Options = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Any names with values of one type (custom headers, metadata). */
export function mapOf<T extends TSchema>(
  value: T,
  options: Options = {},
): TUnsafe<Record<string, Static<T>>> {
  return Type.Unsafe<Record<string, Static<T>>>({ ...options, type: 'object', additionalProperties: value });
}

/** Any JSON object (template data). Its depth is limited by the body parser. */
export function anyObject(options: Options = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ ...options, type: 'object', additionalProperties: true });
}

export function stringEnum<const V extends readonly string[]>(
  values: V,
  options: Options = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ ...options, type: 'string', enum: [...values] });
}

/**
 * The schema or null. Serializes faster than a union, and appears as `["string", "null"]` in the document.
 */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { $id: _name, ...rest } = schema as Readonly<Record<string, unknown>>;
  const values = Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...rest, ...values, nullable: true });
}

/** ISO 8601 UTC with milliseconds; a Date is written that way too. For responses. */
export function timestamp(options: Options = {}): TUnsafe<string | Date> {
  return Type.Unsafe<string | Date>({ ...options, type: 'string', format: 'date-time' });
}

/**
 * Documented by the schema but not validated by it: the handler judges each value separately, so that a wrong
 * one does not refuse the others.
 */
export function judgedApart(schema: TSchema): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ ...schema, judgedApart: true });
}

type Check<T extends TSchema> = (value: Static<T>, problems: Problems) => void;

/**
 * Adds a custom check to a schema. Its problems are reported together with those of the schema, with field
 * names relative to the value: `problems.add('', 'is not an email address')` on an email inside `to` becomes
 * `to[0].email`. The check runs when the value itself has the right type; values inside it may still be
 * wrong, so a check across fields must test before it reads. A schema that has a check already keeps it.
 */
export function checked<T extends TSchema>(schema: T, check: Check<T>): T {
  const { check: before, ...descriptors } = Object.getOwnPropertyDescriptors(schema) as PropertyDescriptorMap;
  const earlier = before?.value as Check<T> | undefined;
  const value: Check<T> = (given, problems) => {
    earlier?.(given, problems);
    check(given, problems);
  };
  const copy = Object.create(Object.getPrototypeOf(schema), descriptors) as T;
  return Object.defineProperty(copy, 'check', { value, enumerable: true });
}
