import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../protocols/dns/answer.ts';
import { signMessage } from '../protocols/message/dkim.ts';
import { checkAuthentication } from './authentication.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const ZONE: Record<string, string> = {
  'sel._domainkey.shop.test': `v=DKIM1; k=rsa; p=${p}`,
  'shop.test': 'v=spf1 include:mx.test ~all',
  'other.test': 'v=spf1 -all',
  'mx.test': 'v=spf1 a mx -all',
};
const names = {
  host: 'mx.test',
  lookUp: async (name: string): Promise<Answer<string>> => {
    const text = ZONE[name];
    return text === undefined ? { kind: 'nxdomain' } : { kind: 'found', records: [text] };
  },
};

const headers = [
  'From: Shop <a@shop.test>',
  'To: ada@example.org',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n folded',
];
const body = Buffer.from('Hello  Ada \r\n\r\nBye\r\n\r\n\r\n');

async function signed(selector = 'sel'): Promise<string> {
  const signer = { domain: 'shop.test', selector, key: privateKey };
  const message = await signMessage({ headers, body }, [signer], 1_800_000_000);
  return `${message.headers.join('\r\n')}\r\n\r\n${message.body}`;
}

const judged = (text: string, from = 'a@shop.test') => checkAuthentication(Buffer.from(text), from, names);

describe('a captured message', () => {
  it('passes when it is signed and the domain allows our host', async () => {
    expect(await judged(await signed())).toEqual({
      dkim: { result: 'pass', domain: 'shop.test', selector: 'sel', reason: null },
      spf: { result: 'pass', domain: 'shop.test', reason: null },
    });
  });

  it('still passes when a relay has changed white space', async () => {
    const text = (await signed()).replace('Subject: ', 'SUBJECT:   ').replace('Hello  Ada ', 'Hello Ada');
    expect((await judged(text)).dkim.result).toBe('pass');
  });

  it.each([
    ['its body', 'Bye', 'Buy', /body/],
    ['a header', 'To: ada', 'To: eve', /headers/],
    ['the signature', ' b=', ' b=AAAA', /headers/],
    ['its kind', 'relaxed/relaxed', 'simple/simple', /kind/],
  ])('fails when somebody changed %s', async (_, before, after, why) => {
    const { dkim } = await judged((await signed()).replace(before, after));
    expect(dkim).toMatchObject({ result: 'fail', reason: expect.stringMatching(why) });
  });

  it('fails when a header was added that must occur once', async () => {
    const { dkim } = await judged((await signed()).replace('From: ', 'From: Eve <eve@evil.test>\r\nFrom: '));
    expect(dkim.result).toBe('fail');
  });

  it('fails when the key is not published', async () => {
    expect((await judged(await signed('gone'))).dkim).toMatchObject({ result: 'fail', selector: 'gone' });
  });

  it('has no result without a signature or a record', async () => {
    const answer = await judged(`${headers.join('\r\n')}\r\n\r\nHello`, 'a@nothing.test');
    expect(answer.dkim).toMatchObject({ result: 'none', domain: null });
    expect(answer.spf).toMatchObject({ result: 'none', domain: 'nothing.test' });
  });

  it('fails SPF when the domain does not allow our host', async () => {
    expect((await judged(await signed(), 'a@other.test')).spf).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('mx.test'),
    });
  });
});
