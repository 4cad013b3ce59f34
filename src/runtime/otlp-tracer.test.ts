import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver } from '../../test/support/otlp-receiver.ts';
import { createLog, type Log } from './log.ts';
import { createOtlpTracer } from './otlp-tracer.ts';
import { parseTraceparent, type Tracer } from './tracing.ts';

const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const SAMPLED = `00-${CALLER.trace}-${CALLER.span}-01`;
const UNSAMPLED = `00-${CALLER.trace}-${CALLER.span}-00`;

let collector: OtlpReceiver;
beforeEach(async () => {
  collector = await startOtlpReceiver();
});
afterEach(() => collector.close());

function tracerWith(ratio: number, log: Log = createLog('test', 'silent')): Tracer {
  const config = { url: collector.url, headers: { authorization: 'Bearer collector' }, ratio };
  return createOtlpTracer({ config, role: 'api', version: '1.2.3', log });
}

it('sends spans with their times, attributes and parents', async () => {
  const tracer = tracerWith(1);
  const span = tracer.begin({
    name: 'deliver',
    kind: 'consumer',
    parent: SAMPLED,
    id: 'a1b2c3d4e5f60718',
    startMs: 1_800_000_000_000,
    attributes: { 'postrider.attempt': 2, 'postrider.reason': null },
  });
  expect(span?.traceparent).toBe(`00-${CALLER.trace}-a1b2c3d4e5f60718-01`);
  span?.end({
    endMs: 1_800_000_000_250,
    attributes: { 'postrider.outcome': 'deferred' },
    problem: 'greylisted',
  });
  await tracer.stop();
  expect(collector.authorizations).toEqual(['Bearer collector']);
  expect(collector.spans).toEqual([
    expect.objectContaining({
      traceId: CALLER.trace,
      spanId: 'a1b2c3d4e5f60718',
      parentSpanId: CALLER.span,
      name: 'deliver',
      startMs: 1_800_000_000_000,
      endMs: 1_800_000_000_250,
      isError: true,
    }),
  ]);
  const { attributes } = collector.spans[0] ?? {};
  expect(attributes).toMatchObject({
    'service.name': 'postrider',
    'service.version': '1.2.3',
    'postrider.role': 'api',
    'postrider.attempt': 2,
    'postrider.outcome': 'deferred',
  });
  expect(attributes).not.toHaveProperty('postrider.reason');
});

it('samples traces as their caller does, and its own by the ratio', async () => {
  const none = tracerWith(0);
  expect(none.begin({ name: 'accept', kind: 'producer', parent: null })).toBeNull();
  expect(none.begin({ name: 'accept', kind: 'producer', parent: SAMPLED })).not.toBeNull();
  const all = tracerWith(1);
  expect(all.begin({ name: 'accept', kind: 'producer', parent: UNSAMPLED })).toBeNull();
  const first = all.begin({ name: 'accept', kind: 'producer', parent: 'nonsense' });
  expect(parseTraceparent(first?.traceparent ?? '')?.traceId).not.toBe(CALLER.trace);
  await Promise.all([none.stop(), all.stop()]);
});

it("logs a collector's refusal, at most once a minute", async () => {
  const warnings: string[] = [];
  const log = { warn: (_: object, words: string) => warnings.push(words) } as unknown as Log;
  collector.status = 400;
  const tracer = tracerWith(1, log);
  const end = () => tracer.begin({ name: 'accept', kind: 'producer', parent: null })?.end();
  end();
  await collector.waitFor((spans) => spans.length === 1);
  end();
  await tracer.stop();
  expect(collector.spans).toHaveLength(2);
  expect(warnings).toEqual(['traces cannot be sent to POSTRIDER_TRACES_URL']);
});
