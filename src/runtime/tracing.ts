/**
 * Traces, behind an interface small enough that what makes and exports them is loaded only where they are wanted
 * (otlp-tracer.ts). What is handed on between processes is a `traceparent` as in W3C Trace Context.
 */

export type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface NewSpan {
  readonly name: string;
  readonly kind: SpanKind;
  /** Null where it is the first of its trace. */
  readonly parent: string | null;
  /** Now, unless it began before it was known of. */
  readonly startMs?: number;
  readonly attributes?: SpanAttributes;
  /** 16 hexadecimal digits; given where others must know it without being told. */
  readonly id?: string;
}

export interface SpanEnd {
  readonly endMs?: number;
  readonly attributes?: SpanAttributes;
  /** What went wrong. */
  readonly problem?: string | null;
}

export interface OpenSpan {
  /** For whatever comes of it. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

export interface Tracer {
  /** Null where its trace is not one of those that are kept. */
  begin(span: NewSpan): OpenSpan | null;
  /** Sends what is left, for as long as that may take while a process stops. */
  stop(): Promise<void>;
}

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Null where it is none: then a trace begins here. Later versions may have more behind what is known. */
export function parseTraceparent(text: string): TraceParent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
