/** An OpenTelemetry collector that receives spans as OTLP over HTTP, in JSON, and keeps them. */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Includes the attributes of the sending process. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The Authorization header of each request. */
  readonly authorizations: readonly (string | undefined)[];
  /** The status of its answers; 200 by default. */
  status: number;
  waitFor(matches: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

interface Value {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Value[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

interface RawSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'kind'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Value[];
  readonly status: { readonly code?: number };
}

const ERROR = 2;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const authorizations: (string | undefined)[] = [];
  const news = new EventEmitter();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url !== '/v1/traces') return response.writeHead(404).end();
    authorizations.push(request.headers.authorization);
    spans.push(...spansIn(JSON.parse(Buffer.concat(chunks).toString()) as Body));
    response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
    news.emit('spans');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans,
    authorizations,
    status: 200,
    async waitFor(matches) {
      while (!matches(spans)) await once(news, 'spans');
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

function spansIn({ resourceSpans }: Body): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ startTimeUnixNano, endTimeUnixNano, attributes, status, ...span }) => ({
        ...span,
        startMs: Number(BigInt(startTimeUnixNano) / 1_000n) / 1_000,
        endMs: Number(BigInt(endTimeUnixNano) / 1_000n) / 1_000,
        attributes: { ...valuesOf(resource.attributes), ...valuesOf(attributes) },
        isError: status.code === ERROR,
      })),
    ),
  );
}

function valuesOf(attributes: readonly Value[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
