/**
 * Creates spans with the OpenTelemetry SDK and sends them to a collector as OTLP over HTTP. Loaded only when
 * tracing is on: other modules may import this file, or the SDK, only by `import()`.
 *
 * No work blocks on the collector: spans wait in memory, at most MAX_WAITING, and further ones are dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from './config.ts';
import { MINUTE_MS } from './durations.ts';
import type { Log } from './log.ts';
import {
  formatTraceparent,
  type NewSpan,
  type OpenSpan,
  parseTraceparent,
  type SpanAttributes,
  type Tracer,
} from './tracing.ts';

const MAX_WAITING = 20_000;
const MAX_BATCH = 1_000;
const SEND_EVERY_MS = 1_000;
const SEND_WITHIN_MS = 5_000;
const STOP_WITHIN_MS = 2_000;

const KINDS: Readonly<Record<NewSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

export interface OtlpTracerOptions {
  readonly config: TracingConfig;
  readonly role: string;
  readonly version: string;
  readonly log: Log;
}

export function createOtlpTracer(about: OtlpTracerOptions): Tracer {
  reportFailures(about.log);
  const ids = new ChosenIds();
  const provider = createProvider(about, ids);
  const tracer = provider.getTracer('postrider', about.version);
  return {
    begin({ name, kind, parent, startMs, attributes, id }) {
      const options = { kind: KINDS[kind], attributes: given(attributes) };
      ids.next = id;
      const span = tracer.startSpan(
        name,
        startMs === undefined ? options : { ...options, startTime: startMs },
        contextOf(parent),
      );
      ids.next = undefined;
      return span.isRecording() ? openSpan(span) : null;
    },
    stop: async () => {
      const tooLong = sleep(STOP_WITHIN_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), tooLong]);
    },
  };
}

function createProvider({ config, role, version }: OtlpTracerOptions, ids: IdGenerator): TracerProvider {
  const { url, headers, ratio } = config;
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'postrider',
      'service.version': version,
      'service.instance.id': `${role}-${process.pid}`,
      'postrider.role': role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_WITHIN_MS }),
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
}

function openSpan(span: Span): OpenSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceparent: formatTraceparent({ traceId, spanId, sampled: true }),
    end({ endMs, attributes, problem } = {}) {
      span.setAttributes(given(attributes));
      if (problem) span.setStatus({ code: SpanStatusCode.ERROR, message: problem });
      span.end(endMs);
    },
  };
}

class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: string | undefined;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next ?? this.#random.generateSpanId();
  }
}

function contextOf(parent: string | null) {
  const found = parent === null ? null : parseTraceparent(parent);
  if (found === null) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = found;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function given(attributes: SpanAttributes = {}): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).filter((one): one is [string, string | number | boolean] => one[1] != null),
  );
}

/** At most once a minute, so that an unavailable collector does not fill the log. */
function reportFailures(log: Log): void {
  let silentUntilMs = 0;
  const report = (message: string) => {
    if (performance.now() < silentUntilMs) return;
    silentUntilMs = performance.now() + MINUTE_MS;
    log.warn({ detail: message.slice(0, 500) }, 'traces cannot be sent to POSTRIDER_TRACES_URL');
  };
  const ignore = () => undefined;
  const logger = { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}
