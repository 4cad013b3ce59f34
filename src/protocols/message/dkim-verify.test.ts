/** Our verifier against signers that are not ours. */
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../dns/answer.ts';
import { verifyDkim } from './dkim-verify.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const RECORDS: Readonly<Record<string, string>> = {
  'rsa._domainkey.example.org': `v=DKIM1; k=rsa; p=${rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  'ed._domainkey.example.org': `v=DKIM1; k=ed25519; p=${ed.publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64')}`,
};
const NOW_MS = Date.UTC(2026, 10, 17);
const MESSAGE =
  'From: a@example.org\r\nTo: b@example.net\r\nSubject:  Hello   there\r\n folded\r\n\r\nHello  \r\n\r\nyou\r\n\r\n\r\n';

async function lookUp(name: string): Promise<Answer<string>> {
  const record = RECORDS[name];
  return record === undefined ? { kind: 'nxdomain' } : { kind: 'found', records: [record] };
}

async function signed(selector: 'rsa' | 'ed', canonicalization: string, message = MESSAGE): Promise<Buffer> {
  const { privateKey } = selector === 'rsa' ? rsa : ed;
  const signer = {
    signingDomain: 'example.org',
    selector,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    algorithm: selector === 'rsa' ? 'rsa-sha256' : 'ed25519-sha256',
  };
  // It asks for the time twice, and its signature is wrong where a second has begun in between.
  const options = { canonicalization, signTime: new Date(NOW_MS), ...signer, signatureData: [signer] };
  const { signatures } = await dkimSign(Buffer.from(message), options);
  return Buffer.from(signatures + message);
}

/** By hand: signers that are not ours say nothing of whom they sign for. */
function signedFor(identity: string): Buffer {
  const body = 'Hello\r\n';
  const hash = createHash('sha256').update(body).digest('base64');
  const own = `dkim-signature:v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=rsa; i=${identity}; h=from; bh=${hash}; b=`;
  const signature = sign('sha256', Buffer.from(`from:a@example.org\r\n${own}`), rsa.privateKey);
  return Buffer.from(`${own}${signature.toString('base64')}\r\nfrom:a@example.org\r\n\r\n${body}`);
}

/** An odd number of so many bits, as JSON Web Keys have them. */
function number(bits: number, last: number): string {
  const bytes = Buffer.alloc(bits / 8, 0xc5);
  bytes[bytes.length - 1] = last;
  return bytes.toString('base64url');
}

const check = (raw: Buffer) => verifyDkim(raw, lookUp, NOW_MS);

describe.each(['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed'])(
  'a signature over %s forms',
  (form) => {
    it.each(['rsa', 'ed'] as const)('of a %s key is good', async (selector) => {
      expect(await check(await signed(selector, form))).toMatchObject([
        { domain: 'example.org', selector, result: 'pass' },
      ]);
    });

    it('is not good for another body, or another header', async () => {
      const raw = (await signed('rsa', form)).toString();
      for (const [before, after] of [
        ['you', 'You'],
        ['Subject:  Hello', 'Subject:  Jello'],
      ] as const)
        expect(await check(Buffer.from(raw.replace(before, after)))).toMatchObject([{ result: 'fail' }]);
    });
  },
);

describe('a signature', () => {
  it('of a key that nobody publishes fails', async () => {
    const raw = Buffer.from(
      (await signed('rsa', 'relaxed/relaxed')).toString().replace('s=rsa;', 's=other;'),
    );
    expect(await check(raw)).toMatchObject([{ result: 'fail', reason: expect.stringContaining('key') }]);
  });

  it('over a part of the body counts for nothing', async () => {
    const raw = (await signed('rsa', 'relaxed/relaxed')).toString().replace('bh=', 'l=1; bh=');
    expect(await check(Buffer.from(raw))).toMatchObject([{ result: 'fail' }]);
  });

  it.each([
    ['a@example.org', 'pass'],
    ['@EXAMPLE.org', 'pass'],
    ['@mail.example.org', 'pass'],
    ['@notexample.org', 'permerror'],
    ['a@example.net', 'permerror'],
    ['@org', 'permerror'],
    ['example.org', 'permerror'],
  ])('for %s, made by example.org: %s', async (identity, result) => {
    expect(await check(signedFor(identity))).toMatchObject([{ domain: 'example.org', result }]);
  });

  it.each([
    ['a tag twice', 'd=example.org;', 'd=example.org; d=example.org;'],
    ['a canonical form that there is not', 'c=relaxed/relaxed', 'c=relaxed/other'],
    ['a thousand signed names', 'h=', `h=${'x:'.repeat(1_000)}`],
    ['a megabyte of it', 'h=', `z=${'x'.repeat(1_000_000)}; h=`],
  ])('with %s fails before its key is asked for', async (_what, before, after) => {
    let asked = 0;
    const raw = (await signed('rsa', 'relaxed/relaxed')).toString().replace(before, after);
    const count = async (name: string) => {
      asked += 1;
      return lookUp(name);
    };
    expect(await verifyDkim(Buffer.from(raw), count, NOW_MS)).toMatchObject([{ result: 'fail' }]);
    expect(asked).toBe(0);
  });

  it.each([
    ['of more bits than anybody needs', 8192, 65_537],
    ['with an exponent of 64 bits', 2048, 2 ** 40 + 15],
  ])('of an RSA key %s counts for nothing', async (_what, bits, exponent) => {
    const raw = await signed('rsa', 'relaxed/relaxed');
    const jwk = {
      kty: 'RSA',
      n: number(bits, 1),
      e: Buffer.from(exponent.toString(16).padStart(16, '0'), 'hex').toString('base64url'),
    };
    const key = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' });
    const records = [`v=DKIM1; p=${key.toString('base64')}`];
    const found = await verifyDkim(raw, async () => ({ kind: 'found', records }), NOW_MS);
    expect(found).toMatchObject([{ result: 'fail', reason: expect.stringContaining('No usable key') }]);
  });

  it('that DNS does not answer about is not known to be bad', async () => {
    const raw = await signed('rsa', 'relaxed/relaxed');
    const unavailable = async () => ({ kind: 'unavailable', code: 'ETIMEOUT' }) as const;
    expect(await verifyDkim(raw, unavailable, NOW_MS)).toMatchObject([{ result: 'temperror' }]);
  });

  it.each([
    '',
    'DKIM-Signature: \r\n\r\n',
    'DKIM-Signature: v=1; a=rsa-sha256; b=; bh=; d=; s=; h=\r\n\r\n',
    'DKIM-Signature:\0\r\n',
  ])('like %j breaks nothing', async (raw) => {
    for (const { result } of await check(Buffer.from(raw))) expect(result).toBe('fail');
  });
});
