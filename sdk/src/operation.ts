/** The input and the result of an operation, by its name: `'POST /emails/send'`. */
import type { Operations } from './generated/types.gen.ts';

export type OperationName = keyof Operations;

export type Params<K extends OperationName> = Operations[K]['params'];
export type Query<K extends OperationName> = NonNullable<Operations[K]['query']>;
export type Body<K extends OperationName> = NonNullable<Operations[K]['body']>;
export type Answer<K extends OperationName> = Operations[K]['response'];

/** The content of `{ data }`. */
export type Data<K extends OperationName> = Answer<K> extends { data: infer Inner } ? Inner : never;

/** One item of a list. */
export type Item<K extends OperationName> = Data<K> extends readonly (infer Inner)[] ? Inner : never;

type Part<Name extends string, Type> = [Type] extends [undefined]
  ? { readonly [name in Name]?: undefined }
  : Partial<NonNullable<Type>> extends Type
    ? { readonly [name in Name]?: Type | undefined }
    : { readonly [name in Name]: Type };

export type Input<K extends OperationName> = Part<'params', Params<K>> &
  Part<'query', Operations[K]['query']> &
  Part<'body', Operations[K]['body']>;

/** Untyped input, for the code that builds requests. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface RequestOptions {
  /** Aborts the request, its retries and the pauses between them. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

export interface DryRunOptions extends RequestOptions {
  /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
  readonly checkLinks?: boolean | undefined;
}

export interface EditOptions extends RequestOptions {
  /** `last_changed_at` of the template as you read it. If the template was changed since, the request is refused with `CONFLICT`. */
  readonly lastChangedAt?: string | undefined;
}

export interface SendOptions extends RequestOptions {
  /**
   * For 24 hours, repeated requests with the same key are executed once. Every call has a random key, so that its retries
   * never send twice. Pass your own key, such as the id of an order, to make repeated calls safe as well.
   */
  readonly idempotencyKey?: string | undefined;
}
