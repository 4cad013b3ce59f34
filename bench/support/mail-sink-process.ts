/**
 * The receiver of the delivery benches, in its own process: an SMTP server that accepts all mail at once (or after DELAY_MS) on
 * every loopback address, and a DNS server with DOMAINS domains, each with its own MX.
 *
 * It parses only command lines and the end of the content. It reports over IPC its ports, and when how many messages arrived.
 */
import { createServer, type Socket } from 'node:net';
import { startDnsZone } from '../../test/support/dns-zone.ts';

const DOMAINS = Number(process.env.DOMAINS ?? 10);
const DELAY_MS = Number(process.env.DELAY_MS ?? 0);

const marks: { count: number; atMs: number }[] = [];
let taken = 0;
let open = 0;
let mostOpen = 0;
let wanted: { first: number; last: number } | null = null;

function took(): void {
  taken += 1;
  if (wanted === null || (taken !== wanted.first && taken !== wanted.last)) return;
  marks.push({ count: taken, atMs: performance.now() });
  if (taken === wanted.last) process.send?.({ marks, mostOpen });
}

const OFFERS = process.env.PIPELINING === 'no' ? [] : ['PIPELINING'];
const EHLO = ['sink.test', ...OFFERS, '8BITMIME', 'SIZE 20000000'].map((one) => `250-${one}\r\n`).join('');
const REPLIES: Readonly<Record<string, string>> = {
  EHLO: `${EHLO}250 ENHANCEDSTATUSCODES\r\n`,
  HELO: '250 sink.test\r\n',
  DATA: '354 Go on\r\n',
  QUIT: '221 Bye\r\n',
};

/** The arrival of the final dot of a mail to `probe-N@…` is reported at once. */
const PROBE = /probe-(\d+)@/;

function serve(socket: Socket): void {
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  let rest = '';
  let inContent = false;
  let probe: number | null = null;
  const reply = (text: string): void => {
    if (DELAY_MS === 0) socket.write(text);
    else setTimeout(() => socket.write(text), DELAY_MS);
  };
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('close', () => {
    open -= 1;
  });
  reply('220 sink.test ESMTP\r\n');
  socket.on('data', (chunk: string) => {
    rest += chunk;
    let replies = '';
    for (;;) {
      const end = rest.indexOf(inContent ? '\r\n.\r\n' : '\r\n');
      if (end === -1) break;
      if (inContent) {
        rest = rest.slice(end + 5);
        inContent = false;
        if (probe !== null) process.send?.({ probe, atNs: String(process.hrtime.bigint()) });
        probe = null;
        took();
        replies += '250 2.0.0 Taken\r\n';
        continue;
      }
      const verb = rest.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') {
        const found = PROBE.exec(rest.slice(0, end));
        if (found !== null) probe = Number(found[1]);
      }
      rest = rest.slice(end + 2);
      inContent = verb === 'DATA';
      replies += REPLIES[verb] ?? '250 2.1.0 Ok\r\n';
    }
    if (replies !== '') reply(replies);
  });
}

const server = createServer(serve);
server.listen(0, '0.0.0.0', async () => {
  const zone: Record<string, object> = {};
  for (let i = 0; i < DOMAINS; i += 1) {
    zone[`d${i}.bench.test`] = { MX: [[10, `mx.d${i}.bench.test`]], ttl: 3600 };
    zone[`mx.d${i}.bench.test`] = { A: [`127.0.1.${i + 1}`], ttl: 3600 };
  }
  zone['blocked.bench.test'] = { MX: [[10, 'mx.blocked.bench.test']] };
  zone['mx.blocked.bench.test'] = { A: ['127.0.2.1'] };
  const dns = await startDnsZone(zone);
  const { port } = server.address() as { port: number };
  process.send?.({ port, dnsAddress: dns.address });
});

/** Restarts the count, and reports when the first and the last of these messages arrived. */
process.on('message', (next: { first: number; last: number }) => {
  marks.length = 0;
  taken = 0;
  mostOpen = open;
  wanted = next;
});
process.on('disconnect', () => process.exit(0));

/** Reports progress, so that a waiting bench can detect a standstill. */
setInterval(() => process.send?.({ taken }), 1_000);
