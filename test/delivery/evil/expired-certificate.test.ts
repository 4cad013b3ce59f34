/** A server whose certificate expired years ago. */
import { expect, it } from 'vitest';
import { EXPIRED_CERTIFICATE } from '../../support/strict-certificates.ts';
import { startScenario } from './scenario.ts';

it('gets its mail over TLS, because unverified encryption is better than none', async () => {
  const scenario = await startScenario({
    sites: { old: { capabilities: ['PIPELINING', 'STARTTLS'], certificate: EXPIRED_CERTIFICATE } },
  });
  const [event] = await scenario.deliver('old.test');
  expect(event).toMatchObject({
    type: 'delivered',
    tls: expect.stringMatching(/^TLSv1/),
    tls_certificate: { verified: false, policy: 'opportunistic', issuer: 'mx.strict.test' },
  });
  expect(scenario.sink('old').connections).toHaveLength(1);
  expect(await scenario.leftovers()).toEqual([]);
});
