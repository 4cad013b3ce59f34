/** What an operation takes and gives, looked up by its name: `'POST /emails/send'`. */
import type { Operations } from './generated/types.gen.ts';

export type OperationName = keyof Operations;

export type Params<K extends OperationName> = Operations[K]['params'];
export type Query<K extends OperationName> = NonNullable<Operations[K]['query']>;
export type Body<K extends OperationName> = NonNullable<Operations[K]['body']>;
export type Answer<K extends OperationName> = Operations[K]['response'];

/** What is inside `{ data }`. */
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

/** The same without its type, for the code that puts requests together. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface RequestOptions {
  /** Ends the request, its retries and the waiting in between. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

export interface DryRunOptions extends RequestOptions {
  /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
  readonly checkLinks?: boolean | undefined;
}

export interface EditOptions extends RequestOptions {
  /** `last_changed_at` as it was read: the change is refused with `CONFLICT` if there was another one since. */
  readonly lastChangedAt?: string | undefined;
}

export interface SendOptions extends RequestOptions {
  /**
   * The same request with the same key is done once, for 24 hours. One is made for every call, so that retries never
   * send twice; give your own to be safe across calls, too (the id of an order, say).
   */
  readonly idempotencyKey?: string | undefined;
}
