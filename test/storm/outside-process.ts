/**
 * The world around the installation, as a process of its own that no fault touches: the recipients' mail server, the
 * DNS that leads there, and the customer's webhook receiver. What it took is on disk before it answers.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { Random } from '../fuzz/random.ts';
import { type DnsRecords, startDnsZone } from '../support/dns-zone.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../support/test-certificate.ts';
import { DESTINATIONS, strangerDomain } from './mail.ts';
import { flooded, MISBEHAVIORS } from './misbehaviors.ts';
import type { DnsState, FromOutside, OutsideOptions, ToOutside } from './outside.ts';
import type { OutsideLine } from './outside-log.ts';
import { type SinkRules, SinkSession } from './sink-session.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as OutsideOptions;
const file = openSync(options.file, 'a');
/** Nothing of the storm may touch this process: a pause this long is somebody else's doing, and spoils the run. */
const STOOD_STILL_MS = 10_000;
const stalls: number[] = [];
let beatMs = performance.now();
let notes = '';
let taken = 0;
let hooked = 0;
let connections = 0;

const rules: SinkRules = {
  random: new Random(options.seed),
  faults: options.faults,
  thinkMs: options.thinkMs,
  greylisted: new Set(),
  cuts: { beforeDot: 0, afterDot: 0, halfReply: 0 },
  next: () => {
    taken += 1;
    return taken;
  },
  write: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
  note,
};

function note(line: OutsideLine): void {
  notes += `${JSON.stringify(line)}\n`;
}

function flush(): void {
  if (notes !== '') writeSync(file, notes);
  notes = '';
}

/** A customer's program: mostly well, sometimes not. At `/fails` is one that is broken, at `/hangs` one that is stuck. */
const hooks = createHttpsServer(
  { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/hangs') return;
      if (request.url === '/fails') return void response.writeHead(500).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        data: { id: string; email_id: string };
      };
      const status = hookFails() ? 500 : 204;
      hooked += 1;
      note({ type: 'hooked', event: data.id, email: data.email_id, atMs: Date.now(), status });
      response.writeHead(status).end();
    });
  },
);

function hookFails(): boolean {
  return (
    options.hookFailures > 0 && rules.faults === options.faults && rules.random.chance(options.hookFailures)
  );
}

/** The addresses of the rude ones' mail hosts. */
const RUDE_NET = '127.0.2.';
const rude = options.rude ?? [];

/** What was published since; a DNS server that comes back has it too. */
const published: Record<string, DnsRecords> = {};

function zone(): Record<string, DnsRecords> {
  const names: Record<string, DnsRecords> = {
    'mail.storm.test': { A: ['127.0.0.1'], TXT: ['v=spf1 a -all'] },
  };
  for (let i = 0; i < DESTINATIONS; i += 1) {
    names[`d${i}.storm.test`] = { MX: [[10, `mx.d${i}.storm.test`]], ttl: 3600 };
    names[`mx.d${i}.storm.test`] = { A: [`127.0.1.${i + 1}`], ttl: 3600 };
  }
  for (let i = 0; i < (options.strangers ?? 0); i += 1)
    names[strangerDomain(i)] = { MX: [[10, `mx.d${i % DESTINATIONS}.storm.test`]], ttl: 3600 };
  for (const [i, name] of rude.entries()) {
    names[`${name}.storm.test`] = { MX: [[10, `mx.${name}.storm.test`]], ttl: 3600 };
    names[`mx.${name}.storm.test`] = { A: [`${RUDE_NET}${i + 1}`], ttl: 3600 };
  }
  return { ...names, ...published };
}

let dnsIsGone = false;

async function setDns(state: DnsState): Promise<void> {
  if (state === 'gone') {
    dnsIsGone = true;
    await dns.stop();
    return;
  }
  if (dnsIsGone) dns = await startDnsZone(zone(), dns.port);
  dnsIsGone = false;
  dns.fail(state === 'well' ? null : state === 'silent' ? 'TIMEOUT' : 'SERVFAIL');
}

function publish(name: string, value: string): void {
  published[name] = { TXT: [value] };
  dns.set(name, published[name]);
}

/** Rude until the storm is over. */
function misbehaviorAt(address: string | undefined) {
  if (rules.faults !== options.faults || !address?.startsWith(RUDE_NET)) return null;
  const name = rude[Number(address.slice(RUDE_NET.length)) - 1];
  return name === undefined ? null : MISBEHAVIORS[name];
}

function say(message: FromOutside): void {
  process.send?.(message);
}

let dns = await startDnsZone(zone());
const sink = createServer((socket) => {
  connections += 1;
  new SinkSession(socket, connections, rules, misbehaviorAt(socket.localAddress));
});
await new Promise<void>((resolve) => sink.listen(0, '0.0.0.0', resolve));
await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
const flushing = setInterval(() => {
  const stoodStillMs = performance.now() - beatMs;
  if (stoodStillMs > STOOD_STILL_MS) stalls.push(Math.round(stoodStillMs));
  beatMs = performance.now();
  flush();
}, 100);

process.on('message', (message: ToOutside) => {
  if (message.kind === 'publish') publish(message.name, message.value);
  if (message.kind === 'dns') void setDns(message.state).then(() => say({ kind: 'dns-set' }));
  if (message.kind === 'calm') rules.faults = { beforeDot: 0, afterDot: 0, halfReply: 0 };
  if (message.kind === 'count')
    say({ kind: 'counted', taken, hooked, stalls, cuts: rules.cuts, flooded: flooded.bytes });
  if (message.kind === 'end') {
    clearInterval(flushing);
    sink.close();
    hooks.close();
    flush();
    closeSync(file);
    say({ kind: 'ended' });
    process.disconnect();
    process.exit(0);
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the storm still asks this process while it cleans up.
process.on('SIGINT', () => undefined);
say({
  kind: 'listening',
  smtpPort: (sink.address() as AddressInfo).port,
  hooksPort: (hooks.address() as AddressInfo).port,
  dnsAddress: dns.address,
});
