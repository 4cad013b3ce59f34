/**
 * Traces, behind an interface small enough that the implementation is loaded only when tracing is on
 * (otlp-tracer.ts). Processes pass each other a `traceparent` of W3C Trace Context.
 */

type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface NewSpan {
  readonly name: string;
  readonly kind: SpanKind;
  /** Null for the first span of a trace. */
  readonly parent: string | null;
  /** The current time, unless the span began earlier. */
  readonly startMs?: number;
  readonly attributes?: SpanAttributes;
  /** 16 hexadecimal digits; set when other processes must be able to derive the id. */
  readonly id?: string;
}

export interface SpanEnd {
  readonly endMs?: number;
  readonly attributes?: SpanAttributes;
  /** The error, if the work failed. */
  readonly problem?: string | null;
}

export interface OpenSpan {
  /** To pass on to work that this span causes. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

export interface Tracer {
  /** Null when the trace is not sampled. */
  begin(span: NewSpan): OpenSpan | null;
  /** Sends the remaining spans, within the time limit of a stop. */
  stop(): Promise<void>;
}

interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Null when invalid; a new trace then begins here. Later versions may append further fields. */
export function parseTraceparent(text: string): TraceParent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
