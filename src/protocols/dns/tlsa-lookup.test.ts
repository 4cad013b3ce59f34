import { expect, it } from 'vitest';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { tlsaOf } from '../../../test/support/tlsa.ts';
import type { Answer } from './answer.ts';
import type { TlsaRecord } from './tlsa.ts';
import { createTlsaLookup } from './tlsa-lookup.ts';

const records = [tlsaOf(TEST_CERTIFICATE, '3 1 1')];
const FOUND: Answer<TlsaRecord> = { kind: 'found', records, secure: true };
const HOST = { kind: 'found', records: ['192.0.2.1'] } as const;

async function lookUp(
  addresses: Answer<string>,
  tlsa: Record<string, Answer<TlsaRecord>>,
  cname?: Answer<string>,
) {
  const asked: string[] = [];
  const look = createTlsaLookup(
    {
      tlsa: async (name) => {
        asked.push(name);
        return tlsa[name] ?? { kind: 'nxdomain', secure: true };
      },
      cname: async () => cname ?? { kind: 'none' },
    },
    25,
  );
  return { found: await look('mx.test', addresses), asked };
}

it('asks below the name of the host', async () => {
  const { found, asked } = await lookUp({ ...HOST, secure: true }, { '_25._tcp.mx.test': FOUND });
  expect(found).toEqual({ kind: 'found', base: 'mx.test', records });
  expect(asked).toEqual(['_25._tcp.mx.test']);
});

it('asks nothing about a host whose address is not validated', async () => {
  const { found, asked } = await lookUp(HOST, { '_25._tcp.mx.test': FOUND });
  expect([found, asked]).toEqual([{ kind: 'none' }, []]);
});

it('makes nothing of records that are not validated', async () => {
  const { found } = await lookUp(
    { ...HOST, secure: true },
    { '_25._tcp.mx.test': { kind: 'found', records } },
  );
  expect(found).toEqual({ kind: 'none' });
});

it('does not know where DNS does not say', async () => {
  const failed: Answer<TlsaRecord> = { kind: 'unavailable', code: 'ESERVFAIL' };
  const { found } = await lookUp({ ...HOST, secure: true }, { '_25._tcp.mx.test': failed });
  expect(found).toMatchObject({ kind: 'failed', detail: expect.stringContaining('ESERVFAIL') });
});

it('prefers what an alias stands for, and then takes the alias itself', async () => {
  const addresses: Answer<string> = { ...HOST, secure: true, alias: 'host.test' };
  const both = { '_25._tcp.mx.test': FOUND, '_25._tcp.host.test': FOUND };
  expect((await lookUp(addresses, both)).found).toMatchObject({ base: 'host.test' });
  const { found, asked } = await lookUp(addresses, { '_25._tcp.mx.test': FOUND });
  expect(found).toMatchObject({ base: 'mx.test' });
  expect(asked).toEqual(['_25._tcp.host.test', '_25._tcp.mx.test']);
});

it('uses only the alias where only the alias is validated', async () => {
  const addresses: Answer<string> = { ...HOST, alias: 'plain.test' };
  const all = { '_25._tcp.mx.test': FOUND, '_25._tcp.plain.test': FOUND };
  const signed: Answer<string> = { kind: 'found', records: ['plain.test'], secure: true };
  expect(await lookUp(addresses, all, signed)).toMatchObject({
    found: { base: 'mx.test' },
    asked: ['_25._tcp.mx.test'],
  });
  const { secure: _, ...unsigned } = signed;
  expect((await lookUp(addresses, all, unsigned)).found).toEqual({ kind: 'none' });
});
