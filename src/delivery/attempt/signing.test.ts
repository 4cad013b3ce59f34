import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { domainName } from '../../../test/support/addresses.ts';
import type { ComposedMessage } from '../../protocols/message/compose.ts';
import { type RsaSign, signOnPool } from '../../protocols/message/dkim.ts';
import { createSigner, type SigningKeys } from './signing.ts';

const SHOP = domainName('shop.example');
const DATE_MS = 1_731_636_360_750;
const key = newKey();
const message = withBody('Hello\r\n');

const owner = (organizationId: string, priority = 1) => ({ organizationId, priority });

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function withBody(body: string): ComposedMessage {
  return { headers: ['From: a@shop.example', 'Subject: Hello'], body: Buffer.from(body) };
}

function keysOf(entries: Readonly<Record<string, KeyObject>>): SigningKeys {
  return {
    find: async (organizationId, domain) => {
      const found = entries[`${organizationId} ${domain}`];
      return found === undefined ? null : { selector: 'pr1', key: found };
    },
  };
}

/** Performs and counts the real RSA operations. */
function counting(): { rsaSign: RsaSign; readonly inputs: string[] } {
  const inputs: string[] = [];
  return {
    inputs,
    rsaSign: (input, signingKey) => {
      inputs.push(input);
      return signOnPool(input, signingKey);
    },
  };
}

describe('signing a delivery', () => {
  it('does not change a message without a key', async () => {
    expect(await createSigner({ find: async () => null })(SHOP, owner('org_1'), message, DATE_MS)).toBe(
      message,
    );
  });

  it("signs with the domain of the sender and the second of the email's date", async () => {
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }));
    const signed = await sign(SHOP, owner('org_1'), message, DATE_MS);
    expect(signed.headers[0]).toMatch(/ d=shop\.example;\s+s=pr1; t=1731636360;/);
  });

  it("never uses another organization's key of the same domain", async () => {
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }));
    expect(await sign(SHOP, owner('org_2'), message, DATE_MS)).toBe(message);
  });

  it('signs once for recipients who get the same message at the same time', async () => {
    const { rsaSign, inputs } = counting();
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), null, rsaSign);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => sign(SHOP, owner('org_1'), withBody('Hello\r\n'), DATE_MS)),
    );
    expect(inputs).toHaveLength(1);
    expect(new Set(all.map((one) => one.headers[0])).size).toBe(1);
  });

  it('adds the signature of our own domain below that of the sender, over the same fields', async () => {
    const own = { domain: 'host.example', selector: 'pr2', key };
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), { find: async () => own });
    const { headers } = await sign(SHOP, owner('org_1'), message, DATE_MS);
    const [first = '', second = ''] = headers;
    expect(first).toMatch(/^DKIM-Signature: .* d=shop\.example;\s+s=pr1; t=1731636360;/s);
    expect(second).toMatch(/^DKIM-Signature: .* d=host\.example;\s+s=pr2; t=1731636360;/s);
    const fieldsOf = (signature: string) => /\bh=([^;]*);/.exec(signature)?.[1];
    expect(fieldsOf(first)).toContain('From:From:');
    expect(fieldsOf(second)).toBe(fieldsOf(first));
    expect(headers.slice(2)).toEqual(message.headers);
  });

  it('looks up the key of our own domain by the time of the first attempt, and omits its signature without a key', async () => {
    const asked: number[] = [];
    const own = {
      find: async (firstAttemptAtMs: number) => {
        asked.push(firstAttemptAtMs);
        return null;
      },
    };
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), own);
    const { headers } = await sign(SHOP, owner('org_1'), message, DATE_MS);
    expect(headers).toHaveLength(message.headers.length + 1);
    expect(asked).toEqual([DATE_MS]);
  });

  it('signs mail from our own domain once', async () => {
    const own = { domain: 'shop.example', selector: 'pr2', key };
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), { find: async () => own });
    const { headers } = await sign(SHOP, owner('org_1'), message, DATE_MS);
    expect(headers.filter((one) => one.startsWith('DKIM-Signature'))).toHaveLength(1);
    expect(headers[0]).toContain('s=pr1;');
  });

  it('signs messages separately that differ in one octet', async () => {
    const { rsaSign, inputs } = counting();
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), null, rsaSign);
    await Promise.all(
      ['Hello\r\n', 'Hallo\r\n'].map((body) => sign(SHOP, owner('org_1'), withBody(body), DATE_MS)),
    );
    expect(inputs).toHaveLength(2);
  });

  it('never shares a signature between two keys, even for the same message', async () => {
    const other = newKey();
    const { rsaSign, inputs } = counting();
    const keys = keysOf({ 'org_1 shop.example': key, 'org_2 shop.example': other });
    const sign = createSigner(keys, null, rsaSign);
    const signed = await Promise.all(
      ['org_1', 'org_2'].map((organization) => sign(SHOP, owner(organization), message, DATE_MS)),
    );
    expect(inputs[0]).toBe(inputs[1]);
    const input = Buffer.from(inputs[0] as string);
    for (const [i, signingKey] of [key, other].entries()) {
      const base64 = signed[i]?.headers[0]?.split(' b=')[1] ?? '';
      const signature = Buffer.from(base64.replace(/\s/g, ''), 'base64');
      expect(verify('sha256', input, createPublicKey(signingKey), signature)).toBe(true);
    }
  });

  it("does not delay one organization's mail by a flood of another's", async () => {
    const { rsaSign, inputs } = counting();
    const keys = keysOf({ 'org_1 shop.example': key, 'org_2 shop.example': key });
    const sign = createSigner(keys, null, rsaSign);
    const flood = Array.from({ length: 100 }, (_, i) =>
      sign(SHOP, owner('org_1'), withBody(`${i}\r\n`), DATE_MS),
    );
    await sign(SHOP, owner('org_2'), message, DATE_MS);
    expect(inputs.length).toBeLessThan(50);
    await Promise.all(flood);
    expect(inputs).toHaveLength(101);
  });

  it('retries after a failed signature', async () => {
    let calls = 0;
    const sign = createSigner(keysOf({ 'org_1 shop.example': key }), null, (input, signingKey) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('no entropy')) : signOnPool(input, signingKey);
    });
    await expect(sign(SHOP, owner('org_1'), message, DATE_MS)).rejects.toThrow('no entropy');
    const signed = await sign(SHOP, owner('org_1'), message, DATE_MS);
    expect(signed.headers[0]).toMatch(/^DKIM-Signature:/);
  });
});
