/** Scanners beside the inbound role: servers that speak rspamd's HTTP and clamd's INSTREAM, answer, or do not. */
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScanDeps, scanMail } from '../../src/inbound/received/scanners/scan.ts';
import { createLog } from '../../src/runtime/log.ts';

const log = createLog('test', 'silent');
const RAW = Buffer.from(`Subject: Hi\r\n\r\n${'x'.repeat(200_000)}\r\n`);
const MAIL = {
  raw: RAW,
  mailFrom: 'ada@exämple.org',
  recipients: ['a@acme.example', 'b@acme.example'],
  remoteAddress: '192.0.2.1',
  helo: 'mx.example.org\r\nX: y',
};

const asked: { url: string | undefined; headers: IncomingHttpHeaders; body: Buffer }[] = [];
let verdict: () => { status: number; body: string };
const rspamd = createHttpServer(async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  asked.push({ url: request.url, headers: request.headers, body: Buffer.concat(pieces) });
  const { status, body } = verdict();
  response.writeHead(status).end(body);
});

/** What clamd does with INSTREAM: it reads pieces up to the one of none, and answers. */
let finding: (stream: Buffer) => string | null;
const clamd = createServer((socket: Socket) => {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    const stream = streamIn(bytes);
    const answer = stream && finding(stream);
    if (answer) socket.end(`${answer}\0`);
  });
});

function streamIn(bytes: Buffer): Buffer | null {
  const command = 'zINSTREAM\0';
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
let scanners: ScanDeps['scanners'];
beforeAll(async () => {
  await new Promise<void>((resolve) => rspamd.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => clamd.listen(0, '127.0.0.1', resolve));
  scanners = { rspamd: `http://127.0.0.1:${portOf(rspamd)}/`, clamd: `tcp://127.0.0.1:${portOf(clamd)}` };
});
afterAll(() => {
  rspamd.closeAllConnections();
  rspamd.close();
  clamd.close();
});

it('are given the whole mail and its envelope, and what they find is told', async () => {
  verdict = () => ({
    status: 200,
    body: '{"action":"reject","score":15.5,"symbols":{"GTUBE":{"score":15}}}',
  });
  finding = (stream) => (stream.equals(RAW) ? 'stream: Eicar-Signature FOUND' : 'stream: OK');
  expect(await scanMail({ scanners, log }, MAIL)).toEqual({
    spam: { result: 'found', score: 15.5, symbols: ['GTUBE'] },
    virus: { result: 'found', name: 'Eicar-Signature' },
  });
  const [{ url, headers, body } = { url: '', headers: {}, body: Buffer.alloc(0) }] = asked;
  expect(url).toBe('/checkv2');
  expect(body.equals(RAW)).toBe(true);
  expect(headers).toMatchObject({
    from: 'ada@ex?mple.org',
    ip: '192.0.2.1',
    helo: 'mx.example.org??X: y',
    rcpt: 'a@acme.example, b@acme.example',
  });
});

it.each([
  ['an error', () => ({ status: 500, body: '{}' }), () => 'INSTREAM size limit exceeded. ERROR'],
  ['nonsense', () => ({ status: 200, body: '<html>' }), () => 'PONG'],
])('that answer with %s are not taken for ones that found nothing', async (_, badVerdict, badFinding) => {
  verdict = badVerdict;
  finding = badFinding;
  const results: string[] = [];
  const onScan = (scanner: string, result: string) => results.push(`${scanner} ${result}`);
  const { spam, virus } = await scanMail({ scanners, log, onScan }, MAIL);
  expect([spam.result, virus.result]).toEqual(['unavailable', 'unavailable']);
  expect(results.toSorted()).toEqual(['spam unavailable', 'virus unavailable']);
});

it('that never answer, or are not there, keep no mail waiting for longer than they may', async () => {
  finding = () => null;
  const nobody = { rspamd: 'http://127.0.0.1:1', clamd: scanners.clamd };
  const { spam, virus } = await scanMail({ scanners: nobody, log, timeMs: 200 }, MAIL);
  expect([spam.result, virus.result]).toEqual(['unavailable', 'unavailable']);
});

it('are not asked where there are none', async () => {
  const before = asked.length;
  const { spam, virus } = await scanMail({ scanners: { rspamd: undefined, clamd: undefined }, log }, MAIL);
  expect([spam.result, virus.result, asked.length]).toEqual(['not_checked', 'not_checked', before]);
});
