import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { evidenceOf } from './outgoing.ts';

const OURS =
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.org;\r\n s=pr1; t=1; h=From:To; bh=aGFzaA==;\r\n b=c2ln\r\n bmF0dXJl';
const composed = (...headers: string[]) => ({ headers, body: Buffer.from('Hello\r\n') });
const wire = Buffer.from('the message');

it('has the hash and the size of the message, and our own signatures unfolded', async () => {
  const message = composed('From: a@example.org');
  expect(await evidenceOf(message, composed(OURS, ...message.headers), wire)).toEqual({
    sha256: createHash('sha256').update(wire).digest('hex'),
    size: wire.length,
    dkim: [{ domain: 'example.org', selector: 'pr1', signature: 'c2lnbmF0dXJl' }],
  });
});

it('ignores signatures of the submitted message, however long they are', async () => {
  const hostile = `DKIM-Signature: ${'d=a; s=b; b='.repeat(20_000)}x;`;
  const message = composed(
    hostile,
    'DKIM-Signature: nonsense',
    `DKIM-Signature: d=a; s=b; b=${'A'.repeat(100_000)}`,
  );
  const before = process.cpuUsage();
  const { dkim } = await evidenceOf(message, composed(OURS, ...message.headers), wire);
  expect(dkim).toEqual([{ domain: 'example.org', selector: 'pr1', signature: 'c2lnbmF0dXJl' }]);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  expect((await evidenceOf(message, message, wire)).dkim).toEqual([]);
});
