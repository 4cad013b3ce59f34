/**
 * A bucket on loopback with the S3 API. It verifies signatures (with its own code, from the specification) and the hash of every
 * body, and fails on command.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Call {
  readonly method: string;
  /** Below the bucket; empty for the bucket itself. */
  readonly key: string;
}

/** hang: never answers. drop: ends the connection. lie: reports success and stores nothing. A number: answers with this status. */
export type S3Fault = 'hang' | 'drop' | 'drop-after' | 'lie' | number | undefined;

export interface S3Sink {
  readonly endpoint: string;
  readonly bucket: string;
  readonly objects: Map<string, Buffer>;
  readonly calls: S3Call[];
  /** The environment variables that configure this store. */
  readonly env: Readonly<Record<string, string>>;
  /** Called before each request. */
  fault: (call: S3Call) => S3Fault | Promise<S3Fault>;
  /** Whether reading needs no signature. */
  isPublic: boolean;
  stop(): Promise<void>;
}

const BUCKET = 'postrider-test';
const ACCESS_KEY_ID = 'TESTACCESSKEY';
const SECRET_ACCESS_KEY = 'test/secret+key';
const REGION = 'eu-test-1';
const MAX_SKEW_MS = 15 * 60_000;
const PAGE = 1_000;

export async function startS3Sink(prefix = ''): Promise<S3Sink> {
  const server = createServer((request, response) => void answer(sink, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sink: S3Sink = {
    endpoint,
    bucket: BUCKET,
    objects: new Map(),
    calls: [],
    env: {
      POSTRIDER_CONTENT_S3_ENDPOINT: endpoint,
      POSTRIDER_CONTENT_S3_BUCKET: BUCKET,
      POSTRIDER_CONTENT_S3_REGION: REGION,
      POSTRIDER_CONTENT_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      POSTRIDER_CONTENT_S3_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
      ...(prefix === '' ? {} : { POSTRIDER_CONTENT_S3_PREFIX: prefix }),
    },
    fault: () => undefined,
    isPublic: false,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sink;
}

async function answer(sink: S3Sink, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', sink.endpoint);
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const call = { method: request.method ?? '', key: rest.join('/') };
  const body = await bodyOf(request);
  sink.calls.push(call);
  const fault = await sink.fault(call);
  if (fault === 'hang') return;
  if (fault === 'drop') return void request.socket.destroy();
  if (typeof fault === 'number') return refuse(response, fault, 'InternalError');
  const refused =
    sink.isPublic && request.headers.authorization === undefined ? null : problemOf(request, url, body);
  if (refused !== null) return refuse(response, 403, refused);
  if (bucket !== sink.bucket) return refuse(response, 404, 'NoSuchBucket');
  if (fault === 'lie') return void response.writeHead(200).end();
  serve(sink, { ...call, body, url }, fault === 'drop-after' ? new ServerResponseSink(request) : response);
}

/** Discards the answer, and ends the connection instead. */
class ServerResponseSink {
  readonly #request: IncomingMessage;
  constructor(request: IncomingMessage) {
    this.#request = request;
  }
  writeHead() {
    return this;
  }
  end() {
    this.#request.socket.destroy();
  }
}

type Answering = Pick<ServerResponseSink, 'writeHead' | 'end'> | ServerResponse;

function serve(sink: S3Sink, asked: S3Call & { body: Buffer; url: URL }, to: Answering): void {
  const response = to as ServerResponse;
  const { method, key, body, url } = asked;
  if (key === '') return void response.writeHead(200).end(listed(sink, url.searchParams.get('prefix') ?? ''));
  const object = sink.objects.get(key);
  const etag = {
    etag: `"${createHash('md5')
      .update(object ?? body)
      .digest('hex')}"`,
  };
  if (method === 'PUT') {
    sink.objects.set(key, body);
    response.writeHead(200, etag).end();
  } else if (method === 'DELETE') {
    sink.objects.delete(key);
    response.writeHead(204).end();
  } else if (object === undefined) refuse(response, 404, 'NoSuchKey');
  else {
    response.writeHead(200, { ...etag, 'content-length': object.length });
    response.end(method === 'HEAD' ? undefined : object);
  }
}

function listed({ objects, bucket }: S3Sink, prefix: string): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const contents = keys.slice(0, PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><IsTruncated>${keys.length > PAGE}</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

function refuse(response: Answering, status: number, code: string): void {
  (response as ServerResponse)
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
/** Encodes one part of a path or a query. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The S3 error code for a wrong signature (version 4); null for a valid signature. */
function problemOf(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (given === null) return 'AccessDenied';
  const [, keyId, day = '', region, names = '', signature = ''] = given;
  if (keyId !== ACCESS_KEY_ID || region !== REGION) return 'InvalidAccessKeyId';
  const time = String(request.headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!time.startsWith(day) || !(Math.abs(Date.now() - at) < MAX_SKEW_MS)) return 'RequestTimeTooSkewed';
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name)))
    return 'AccessDenied';
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const canonical = [
    ...[request.method, decodeURIComponent(url.pathname).split('/').map(encoded).join('/'), query.join('&')],
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}`),
    ...['', names, hash],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${REGION}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${SECRET_ACCESS_KEY}`, day), REGION));
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}
