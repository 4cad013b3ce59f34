/** The MTA-STS policy of the host against what senders find: a DNS on loopback, and a proxy that serves a policy over https. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../src/certificates/self-signed.ts';
import { stsCheck } from '../../src/doctor/host/mta-sts.ts';
import { ownStsPolicy, stsPolicyText, stsRecordValue } from '../../src/protocols/dns/own-sts-policy.ts';
import { type DoctorRoom, HOST, openDoctorRoom } from './doctor-context.ts';

const RECORD = `_mta-sts.${HOST}`;
const policyOf = (mode: 'none' | 'testing' | 'enforce') => ownStsPolicy(HOST, { mode, mx: undefined });
const certificate = selfSigned(`mta-sts.${HOST}`, Date.now());

let room: DoctorRoom;
let proxy: Server;
let served = '';
beforeAll(async () => {
  room = await openDoctorRoom();
  proxy = createServer({ cert: certificate.cert, key: certificate.key }, (_request, response) => {
    response.setHeader('Content-Type', 'text/plain').end(served);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.close();
  await room.stop();
});
afterEach(() => room.zone.replaceZone({}));

/** As it should be. */
function publish(mode: 'testing' | 'enforce'): void {
  served = stsPolicyText(policyOf(mode));
  room.zone.replaceZone({
    [HOST]: { A: ['127.0.0.1'], MX: [[10, HOST]] },
    [RECORD]: { TXT: [stsRecordValue(policyOf(mode))] },
    [`mta-sts.${HOST}`]: { A: ['127.0.0.1'] },
  });
}

const CERTIFICATE = { POSTRIDER_INBOUND_TLS_CERT: '/x.pem', POSTRIDER_INBOUND_TLS_KEY: '/x.key' };

async function find(mode: string, env: Readonly<Record<string, string>> = CERTIFICATE) {
  const { port: httpsPort } = proxy.address() as AddressInfo;
  const outside = { httpsPort, trustedCertificates: certificate.cert, timeoutMs: 5_000 };
  const found = await room.find(stsCheck, { env: { POSTRIDER_MTA_STS: mode, ...env }, outside });
  return found.map(({ level, seen, fix }) => ({ level, seen, fix: fix ?? '' }));
}

describe('the MTA-STS policy of the host', () => {
  it.each(['testing', 'enforce'] as const)('fits: %s', async (mode) => {
    publish(mode);
    expect(await find(mode)).toMatchObject([
      { level: 'ok', seen: `The MTA-STS policy of ${HOST} (${mode}), its record and its MX agree.` },
    ]);
  });

  it('is none, which is well unless DNS announces one', async () => {
    expect(await find('none')).toMatchObject([{ level: 'ok', seen: expect.stringContaining('no MTA-STS') }]);
    publish('enforce');
    const [left] = await find('none');
    expect(left).toMatchObject({
      level: 'warn',
      fix: expect.stringContaining(stsRecordValue(policyOf('none'))),
    });
    room.zone.set(RECORD, { TXT: [stsRecordValue(policyOf('none'))] });
    expect(await find('none')).toMatchObject([{ level: 'ok', seen: expect.stringContaining('withdrawn') }]);
  });

  it('has no record, or that of another policy', async () => {
    publish('enforce');
    const fix = `Publish: ${RECORD}. TXT "${stsRecordValue(policyOf('enforce'))}"`;
    room.zone.set(RECORD, { TXT: [stsRecordValue(policyOf('testing'))] });
    expect(await find('enforce')).toEqual([
      { level: 'warn', seen: `The MTA-STS record at ${RECORD} has the id of another policy.`, fix },
    ]);
    room.zone.remove(RECORD);
    expect(await find('enforce')).toMatchObject([
      { level: 'warn', seen: expect.stringContaining('no MTA-STS record'), fix },
    ]);
  });

  it('does not name a mail host', async () => {
    publish('enforce');
    room.zone.set(HOST, {
      A: ['127.0.0.1'],
      MX: [
        [10, HOST],
        [20, 'mx2.example.net'],
      ],
    });
    expect(await find('enforce')).toMatchObject([
      { level: 'bad', fix: expect.stringContaining(`POSTRIDER_MTA_STS_MX=${HOST},mx2.example.net`) },
    ]);
  });

  it('is not what is served, or cannot be fetched', async () => {
    publish('testing');
    served = stsPolicyText(policyOf('enforce'));
    expect(await find('testing')).toMatchObject([
      { level: 'warn', seen: expect.stringContaining('is not the policy') },
    ]);
    room.zone.remove(`mta-sts.${HOST}`);
    expect(await find('testing')).toMatchObject([
      { level: 'warn', fix: expect.stringContaining(`mta-sts.${HOST}. CNAME mail.host.example.`) },
    ]);
  });

  it('asks for a certificate that the receiver does not have', async () => {
    publish('enforce');
    expect(await find('enforce', {})).toMatchObject([
      { level: 'bad', fix: expect.stringContaining('POSTRIDER_INBOUND_TLS_CERT') },
    ]);
  });

  it('is content with a certificate that the receiver gets by ACME', async () => {
    publish('enforce');
    expect(await find('enforce', { POSTRIDER_ACME: 'true' })).toMatchObject([{ level: 'ok' }]);
  });

  it('is not judged where DNS does not answer', async () => {
    room.zone.replaceZone({ [RECORD]: 'SERVFAIL' });
    expect(await find('testing')).toMatchObject([{ level: 'unknown' }]);
  });
});
