/** Whether mail gets out and bounces come back: mail hosts on loopback that play every fault. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BigReceiver } from '../../src/doctor/reference-servers.ts';
import { inboundCheck } from '../../src/doctor/smtp/inbound.ts';
import { outboundCheck } from '../../src/doctor/smtp/outbound.ts';
import { relayCheck } from '../../src/doctor/smtp/relay.ts';
import { type DeafHost, startDeafHost } from '../support/deaf-host.ts';
import {
  DEFAULT_CAPABILITIES,
  drop,
  type SinkScript,
  type SmtpSink,
  silent,
  startSmtpSink,
} from '../support/smtp-sink.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';
import { type DoctorRoom, HOST, openDoctorRoom, summaryOf } from './doctor-context.ts';

const RECEIVERS: readonly BigReceiver[] = [
  { name: 'One', domain: 'one.example', greetsWith: 'one.example' },
  { name: 'Two', domain: 'two.example', greetsWith: 'two.example' },
];
const OFFERS = [...DEFAULT_CAPABILITIES, 'STARTTLS'];

let room: DoctorRoom;
const sinks: SmtpSink[] = [];
beforeAll(async () => {
  room = await openDoctorRoom();
});
afterAll(() => room.stop());
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((sink) => sink.close()));
  room.zone.replaceZone({});
});

/** Mail hosts of the receivers: all on one port, each at an address of its own. */
async function hosts(...scripts: (SinkScript | null)[]): Promise<string> {
  let port = 0;
  for (const [at, script] of scripts.entries()) {
    const name = RECEIVERS[at]?.domain ?? '';
    const address = `127.0.0.${at + 2}`;
    room.zone.set(name, { MX: [[10, `mx.${name}`]] });
    room.zone.set(`mx.${name}`, { A: [address] });
    if (script === null) continue;
    const banner = `220 mx.${name} ready`;
    const sink = await startSmtpSink({ address, port, capabilities: OFFERS, script: { banner, ...script } });
    sinks.push(sink);
    port = sink.port;
  }
  return String(port);
}

const outbound = (
  port: string,
  more: Record<string, string> = {},
  maker: string | null = null,
  timeoutMs = 5_000,
) =>
  room.find(outboundCheck, {
    env: { POSTRIDER_MX_PORT: port, ...more },
    outside: { receivers: RECEIVERS, timeoutMs, machineMaker: async () => maker },
  });

describe('outbound mail', () => {
  it('reaches the mail hosts of big receivers, which are greeted and left alone', async () => {
    const port = await hosts({}, {});
    expect(summaryOf(await outbound(port))).toEqual([
      `ok: Mail hosts of One, Two answer on port ${port}, and offer TLS.`,
    ]);
    expect(sinks.flatMap((sink) => sink.connections.flatMap(({ commands }) => commands))).toEqual([
      `EHLO ${HOST}`,
      'QUIT',
      `EHLO ${HOST}`,
      'QUIT',
    ]);
  });

  it('is rejected at once, as a firewall does it', async () => {
    const port = await hosts({}, {});
    await Promise.all(sinks.splice(0).map((sink) => sink.close()));
    const [found] = await outbound(port);
    expect(found).toMatchObject({ level: 'bad', fix: expect.stringContaining('open outbound TCP port 25') });
    expect(found?.seen).toMatch(
      /^No mail host answers on port \d+\. One \(127\.0\.0\.2\): .*; Two \(127\.0\.0\.3\): .*typical of a firewall/,
    );
  });

  it('disappears without an answer, as a hosting provider does it', async () => {
    const deaf: DeafHost = await startDeafHost('127.0.0.2');
    try {
      room.zone.replaceZone({
        'one.example': { MX: [[10, 'mx.one.example']] },
        'mx.one.example': { A: ['127.0.0.2'] },
      });
      const receivers = RECEIVERS.slice(0, 1);
      const [found] = await room.find(outboundCheck, {
        env: { POSTRIDER_MX_PORT: String(deaf.port) },
        outside: { receivers, timeoutMs: 300, machineMaker: async () => 'Hetzner, vServer' },
      });
      expect(found?.level).toBe('bad');
      expect(found?.seen).toMatch(
        /Packets are dropped .* This looks like a machine at Hetzner, a provider that is known to block the port\.$/,
      );
      expect(found?.fix).toContain('In the Hetzner Console, request to unblock');
    } finally {
      await deaf.stop();
    }
  });

  it('knows its hosting provider by the name of its address, too', async () => {
    const port = await hosts({}, {});
    await Promise.all(sinks.splice(0).map((sink) => sink.close()));
    room.zone.set('8.8.8.8.in-addr.arpa', { PTR: ['ec2-8-8-8-8.compute-1.amazonaws.com'] });
    const [found] = await room.find(outboundCheck, {
      env: { POSTRIDER_MX_PORT: port },
      outside: { receivers: RECEIVERS, leavesFrom: async () => '8.8.8.8' },
    });
    expect(found?.seen).toContain('Amazon EC2');
    expect(found?.fix).toContain('Request to remove email sending limitations');
  });

  it('is refused by one of them, in whose words', async () => {
    const port = await hosts(
      { banner: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Spamhaus' },
      {},
    );
    const [found, ...others] = await outbound(port);
    expect(others).toEqual([]);
    expect(found?.level).toBe('bad');
    expect(found?.seen).toContain(
      'One (mx.one.example, 127.0.0.2) refuses this machine: "554 5.7.1 Service unavailable',
    );
    expect(found?.fix).toContain('request removal');
  });

  it('is turned away for now, which is no emergency', async () => {
    const port = await hosts({ banner: '421 4.7.0 Try again later' }, {});
    expect(summaryOf(await outbound(port))).toEqual([
      'warn: One (mx.one.example, 127.0.0.2) refuses this machine: "421 4.7.0 Try again later".',
    ]);
  });

  it('does not reach one of them', async () => {
    const port = await hosts({}, null);
    expect(summaryOf(await outbound(port))).toEqual([
      expect.stringMatching(/^warn: Two \(mx\.two\.example, 127\.0\.0\.3\) does not answer on port/),
    ]);
  });

  it.each([
    [
      'greets as somebody else',
      { banner: '220 filter.isp.example ESMTP' },
      'Another server answers in place of One',
      '"filter.isp.example ESMTP"',
    ],
    [
      'hides TLS',
      { ehlo: '250-mx.one.example\n250 XXXXXXXA' },
      'Another server answers in place of One',
      'without offering TLS',
    ],
  ] as const)('goes to a network that %s', async (_what, script, first, second) => {
    const port = await hosts(script, {});
    const [found] = await outbound(port);
    expect(found).toMatchObject({ level: 'bad', why: expect.stringContaining('redirects port 25') });
    expect(found?.seen).toContain(first);
    expect(found?.seen).toContain(second);
  });

  it.each([
    ['says nothing', { banner: silent() }],
    ['hangs up', { banner: drop() }],
  ])('meets a server that %s', async (_what, script) => {
    const port = await hosts(script, {});
    expect(summaryOf(await outbound(port, {}, null, 500))).toEqual([
      expect.stringMatching(/^warn: One .* does not answer/),
    ]);
  });

  it('is not tried where DNS does not tell where to', async () => {
    const port = await hosts({}, {});
    room.zone.set('one.example', 'SERVFAIL');
    expect(summaryOf(await outbound(port))).toEqual([
      expect.stringMatching(/^unknown: One was not tried: DNS did not answer/),
    ]);
  });

  it('is not tried behind a relay, nor in a private network', async () => {
    const none = { POSTRIDER_RELAY_URL: 'smtp://relay.example' };
    expect(summaryOf(await outbound('1', none))).toEqual([
      expect.stringMatching(/^unknown: All mail goes through the relay/),
    ]);
    const own = { POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' };
    expect(summaryOf(await outbound('1', own))).toEqual([
      expect.stringMatching(/^unknown: Mail stays in a private network/),
    ]);
  });
});

describe('a relay', () => {
  const relay = (url: string) =>
    room.find(relayCheck, {
      env: { POSTRIDER_RELAY_URL: url },
      outside: { timeoutMs: 5_000, trustedCertificates: TEST_CERTIFICATE },
    });

  async function startRelay(script: SinkScript = {}): Promise<number> {
    const sink = await startSmtpSink({ capabilities: [...OFFERS, 'AUTH PLAIN'], script });
    sinks.push(sink);
    return sink.port;
  }

  it('is nothing to speak of where there is none', async () => {
    expect(await room.find(relayCheck)).toEqual([]);
  });

  it('takes the password', async () => {
    const port = await startRelay({ auth: '235 2.7.0 welcome' });
    expect(summaryOf(await relay(`smtp://user:secret@127.0.0.1:${port}`))).toEqual([
      `ok: The relay 127.0.0.1:${port} is ready to accept mail.`,
    ]);
  });

  it('refuses the password, which is not repeated', async () => {
    const port = await startRelay({ auth: '535 5.7.8 Authentication failed' });
    const [found] = await relay(`smtp://user:secret@127.0.0.1:${port}`);
    expect(found).toMatchObject({ level: 'bad', fix: expect.stringContaining('Check POSTRIDER_RELAY_URL') });
    expect(found?.seen).toContain('"535 5.7.8 Authentication failed"');
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('cannot be reached, or has no address', async () => {
    expect((await relay('smtp://127.0.0.1:1'))[0]?.level).toBe('bad');
    expect((await relay('smtp://nowhere.example'))[0]?.seen).toContain('nowhere.example');
  });
});

describe('inbound mail', () => {
  const inbound = (port: number, more: Record<string, string> = {}) =>
    room.find(inboundCheck, {
      env: { POSTRIDER_INBOUND_PORT: '2525', ...more },
      outside: { inboundPort: port, timeoutMs: 500 },
    });

  async function startReceiver(banner = `220 ${HOST} ESMTP`): Promise<number> {
    const sink = await startSmtpSink({ script: { banner } });
    sinks.push(sink);
    return sink.port;
  }

  it('finds our receiver', async () => {
    room.zone.replaceZone({ [HOST]: { MX: [[10, HOST]], A: ['127.0.0.1'] } });
    const port = await startReceiver();
    expect(summaryOf(await inbound(port))).toEqual([
      `ok: Bounces are received at ${HOST} (127.0.0.1) on port ${port}.`,
    ]);
  });

  it('has no MX record to follow', async () => {
    room.zone.replaceZone({ [HOST]: { A: ['127.0.0.1'] } });
    const [first, second] = await inbound(await startReceiver());
    expect(first).toMatchObject({
      level: 'warn',
      seen: `${HOST} has no MX record.`,
      fix: `Publish: ${HOST}. MX 10 ${HOST}.`,
    });
    expect(second?.level).toBe('ok');
  });

  it.each([
    [
      'says that it takes no mail',
      { MX: [[0, '.']] as const, A: ['127.0.0.1'] },
      'accepts no mail (null MX)',
    ],
    ['leads to hosts without an address', { MX: [[10, 'gone.example']] as const }, 'have no address'],
  ])('%s', async (_what, records, words) => {
    room.zone.replaceZone({ [HOST]: records });
    expect(await inbound(1)).toEqual([
      expect.objectContaining({
        level: 'bad',
        seen: expect.stringContaining(words),
        fix: `Publish: ${HOST}. MX 10 ${HOST}.`,
      }),
    ]);
  });

  it('goes to another server', async () => {
    room.zone.replaceZone({
      [HOST]: { MX: [[10, 'mx.other.example']] },
      'mx.other.example': { A: ['127.0.0.1'] },
    });
    const [found] = await inbound(await startReceiver('220 mx.other.example Postfix'));
    expect(found).toMatchObject({ level: 'bad', fix: `Publish: ${HOST}. MX 10 ${HOST}.` });
    expect(found?.seen).toContain('Another server answers at mx.other.example');
  });

  it('finds nobody', async () => {
    room.zone.replaceZone({ [HOST]: { MX: [[10, HOST]], A: ['127.0.0.1'] } });
    const port = await startReceiver();
    await Promise.all(sinks.splice(0).map((sink) => sink.close()));
    const [found] = await inbound(port);
    expect(found).toMatchObject({
      level: 'bad',
      seen: `Nothing listens at ${HOST} (127.0.0.1) on port ${port}.`,
    });
    expect(found?.fix).toContain('to 0.0.0.0:2525, where bounces are received');
  });

  it('cannot be judged from within a network that does not lead back', async () => {
    const deaf = await startDeafHost('127.0.0.4');
    try {
      room.zone.replaceZone({ [HOST]: { MX: [[10, HOST]], A: ['127.0.0.4'] } });
      const [found] = await inbound(deaf.port);
      expect(found).toMatchObject({
        level: 'unknown',
        fix: expect.stringContaining(`nc -vz ${HOST} ${deaf.port}`),
      });
    } finally {
      await deaf.stop();
    }
  });

  it('is not looked for in the sandbox, nor where DNS does not answer', async () => {
    expect((await inbound(1, { POSTRIDER_MODE: 'sandbox' }))[0]?.level).toBe('unknown');
    room.zone.replaceZone({ [HOST]: 'SERVFAIL' });
    expect((await inbound(1))[0]?.level).toBe('unknown');
  });
});
