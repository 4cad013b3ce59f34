import { afterEach, expect, it } from 'vitest';
import {
  AUTHORITY_CERTIFICATE,
  ELSEWHERE_CERTIFICATE,
  OUTDATED_CERTIFICATE,
  ROOT_CERTIFICATE,
  SIGNED_CERTIFICATE,
} from '../../../test/support/dane-certificates.ts';
import { type SmtpSink, startSmtpSink } from '../../../test/support/smtp-sink.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../../../test/support/strict-certificates.ts';
import { tlsaOf } from '../../../test/support/tlsa.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { SmtpTarget } from './facts.ts';
import { SmtpPool } from './pool.ts';

const ENVELOPE = { from: 'bounce@us.test', to: 'you@signed.test', smtpUtf8: false };
const WIRE = Buffer.from('Subject: hi\r\n\r\nhello\r\n');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Shown {
  readonly cert: string;
  readonly key: string;
}

type Demand = readonly [pem: string, parameters: string];

function targetOf(sink: SmtpSink, demands: readonly Demand[], names = ['mx.signed.test']): SmtpTarget {
  const records = demands.map(([pem, parameters]) => tlsaOf(pem, parameters));
  return {
    host: 'mx.signed.test',
    address: sink.address,
    port: sink.port,
    tls: 'required',
    tlsPolicy: 'dane',
    ehloName: 'us.test',
    dane: { records, serverName: 'mx.signed.test', names, key: demands.join() },
  };
}

async function connect(certificate: Shown) {
  const sink = await startSmtpSink({ capabilities: ['PIPELINING', 'STARTTLS'], certificate });
  const pool = new SmtpPool({ clock: systemClock });
  closers.push(
    () => sink.close(),
    () => pool.stop(),
  );
  const send = (demands: readonly Demand[], names?: string[]) =>
    pool.send(targetOf(sink, demands, names), ENVELOPE, WIRE);
  return { sink, send };
}

const ownOnly = ({ cert, key }: Shown): Shown => ({ cert: cert.replace(AUTHORITY_CERTIFICATE, ''), key });

const OWN = SIGNED_CERTIFICATE.cert;

it.each<[string, Shown, readonly Demand[]]>([
  ['its own certificate', SIGNED_CERTIFICATE, [[OWN, '3 0 0']]],
  ['its own key', SIGNED_CERTIFICATE, [[OWN, '3 1 1']]],
  ['its own key, by a longer digest', SIGNED_CERTIFICATE, [[OWN, '3 1 2']]],
  [
    'the one of two that it has, while keys change',
    SIGNED_CERTIFICATE,
    [
      [STRICT_CERTIFICATE.cert, '3 1 1'],
      [OWN, '3 1 1'],
    ],
  ],
  ['its own, though it has expired', EXPIRED_CERTIFICATE, [[EXPIRED_CERTIFICATE.cert, '3 1 1']]],
  ['its own, though it is in another name', ELSEWHERE_CERTIFICATE, [[ELSEWHERE_CERTIFICATE.cert, '3 0 1']]],
  ['one of an authority that it sends along', SIGNED_CERTIFICATE, [[AUTHORITY_CERTIFICATE, '2 1 1']]],
  [
    'one of an authority that is whole in DNS',
    ownOnly(SIGNED_CERTIFICATE),
    [[AUTHORITY_CERTIFICATE, '2 0 0']],
  ],
  [
    'one of an authority whose key is in DNS',
    ownOnly(SIGNED_CERTIFICATE),
    [[AUTHORITY_CERTIFICATE, '2 1 0']],
  ],
  [
    'one of a root that is whole in DNS, over an authority',
    SIGNED_CERTIFICATE,
    [[ROOT_CERTIFICATE, '2 0 0']],
  ],
])('takes a server that shows %s', async (_, shown, demands) => {
  const { sink, send } = await connect(shown);
  expect(await send(demands)).toMatchObject({
    kind: 'accepted',
    certificate: { verified: true, policy: 'dane', problem: null },
  });
  expect(sink.messageCount).toBe(1);
});

it.each<[string, Shown, readonly Demand[], RegExp]>([
  ['another certificate', SIGNED_CERTIFICATE, [[STRICT_CERTIFICATE.cert, '3 1 1']], /not the one in DNS/],
  ['its own where an authority is named', SIGNED_CERTIFICATE, [[OWN, '2 1 1']], /no authority/],
  [
    'an authority where its own is named',
    SIGNED_CERTIFICATE,
    [[AUTHORITY_CERTIFICATE, '3 1 1']],
    /not the one/,
  ],
  ['one of another authority', STRICT_CERTIFICATE, [[AUTHORITY_CERTIFICATE, '2 0 1']], /no authority/],
  [
    'one of the authority in another name',
    ELSEWHERE_CERTIFICATE,
    [[AUTHORITY_CERTIFICATE, '2 0 1']],
    /not made out to mx\.signed\.test/,
  ],
  [
    'one of the authority that has expired',
    OUTDATED_CERTIFICATE,
    [[AUTHORITY_CERTIFICATE, '2 0 1']],
    /expired/,
  ],
  [
    'no chain to the authority that DNS has the digest of',
    ownOnly(SIGNED_CERTIFICATE),
    [[AUTHORITY_CERTIFICATE, '2 0 1']],
    /no authority/,
  ],
])('gives nothing to a server that shows %s', async (_, shown, demands, detail) => {
  const { sink, send } = await connect(shown);
  const facts = await send(demands);
  expect(facts).toMatchObject({ kind: 'broken', phase: 'tls', failure: 'tls' });
  expect(facts).toMatchObject({ detail: expect.stringMatching(detail) });
  expect(sink.messageCount).toBe(0);
});

it('takes a certificate in the name of the domain from an authority that it names', async () => {
  const { send } = await connect(ELSEWHERE_CERTIFICATE);
  const facts = await send([[AUTHORITY_CERTIFICATE, '2 1 1']], ['mx.signed.test', 'elsewhere.test']);
  expect(facts).toMatchObject({ kind: 'accepted' });
});

it('asks for encryption and nothing more where no record can be used', async () => {
  const { send } = await connect(EXPIRED_CERTIFICATE);
  expect(await send([])).toMatchObject({
    kind: 'accepted',
    tls: expect.stringMatching(/^TLSv1/),
    certificate: { verified: false, policy: 'dane' },
  });
});

it('looks at the certificate of every connection, and again when DNS says something else', async () => {
  const { sink, send } = await connect(SIGNED_CERTIFICATE);
  await send([[OWN, '3 1 1']]);
  expect(await send([[STRICT_CERTIFICATE.cert, '3 1 1']])).toMatchObject({ kind: 'broken', phase: 'tls' });
  expect(sink.connections.map(({ tlsResumed }) => tlsResumed)).toEqual([false, false]);
});
