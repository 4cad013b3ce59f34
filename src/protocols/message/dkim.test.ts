import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it } from 'vitest';
import { mailbox } from '../../../test/support/addresses.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { atOnce } from '../../runtime/sliced-work.ts';
import { type ComposedMessage, composing, type MessageParts, writingWire } from './compose.ts';
import { type DkimSigner, signMessage } from './dkim.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signer: DkimSigner = { domain: 'shop.example', selector: 'pr1', key: privateKey };
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const SIGNED_AT = 1_731_636_360;

const parts: MessageParts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: SIGNED_AT * 1000,
  messageIdDomain: 'shop.example',
  from: mailbox('orders@shop.example', 'The Shop'),
  to: [mailbox('zoe@customer.example', 'Zoë Müller')],
  cc: [],
  replyTo: [],
  subject: 'Your order is on its way',
  html: '<p>Hello Zoë</p>',
  text: 'Hello Zoë\n',
  headers: [],
  attachments: [],
};
const CLOSED = [
  ['From', 'Eve <eve@evil.example>'],
  ['Subject', 'Something else'],
  ['To', 'eve@evil.example'],
  ['Date', 'Fri, 15 Nov 2024 02:06:00 +0000'],
  ['Message-ID', '<1@evil.example>'],
  ['Reply-To', 'eve@evil.example'],
  ['Cc', 'eve@evil.example'],
  ['MIME-Version', '1.0'],
  ['Content-Type', 'text/html'],
  ['List-Unsubscribe', '<https://evil.example/>'],
  ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ['Content-Transfer-Encoding', 'base64'],
  ['Feedback-ID', 'a:b:c:d'],
] as const;

function sign(message: ComposedMessage): Promise<ComposedMessage> {
  return signMessage(message, [signer], SIGNED_AT);
}

async function verdict(message: ComposedMessage): Promise<string> {
  const { results } = await dkimVerify(toWire(message), { resolver: resolve });
  expect(results).toHaveLength(1);
  return results[0]?.status.result ?? 'none';
}

async function resolve(name: string, type: string): Promise<string[][]> {
  expect([name, type]).toEqual(['pr1._domainkey.shop.example', 'TXT']);
  return [[record]];
}

function signatureOf(message: ComposedMessage): string {
  return message.headers[0] as string;
}

/** Tag by tag, without any white space. */
function tagsOf(message: ComposedMessage): Record<string, string> {
  const [, value = ''] = signatureOf(message).split('DKIM-Signature:');
  const tags = value.replace(/\s+/g, '').split(';');
  return Object.fromEntries(tags.map((tag) => [tag.split('=')[0], tag.slice(tag.indexOf('=') + 1)]));
}

function withBody(body: Buffer | string): ComposedMessage {
  return { headers: composeMessage(parts).headers, body: Buffer.from(body) };
}

describe('a signed message', () => {
  it('is accepted by a verifier that is not our own', async () => {
    expect(await verdict(await sign(composeMessage(parts)))).toBe('pass');
  });

  it('has the signature on top and everything else as it was', async () => {
    const message = composeMessage(parts);
    const signed = await sign(message);
    expect(signed.headers.slice(1)).toEqual(message.headers);
    expect(signed.body).toBe(message.body);
  });

  it('says how, by whom and when it was signed, and neither limits its length nor expires', async () => {
    const { h: _, bh: __, b: ___, ...tags } = tagsOf(await sign(composeMessage(parts)));
    expect(tags).toEqual({
      v: '1',
      a: 'rsa-sha256',
      c: 'relaxed/relaxed',
      d: 'shop.example',
      s: 'pr1',
      t: String(SIGNED_AT),
    });
  });

  it('is the same bytes when it is signed again', async () => {
    const [first, second] = await Promise.all([sign(composeMessage(parts)), sign(composeMessage(parts))]);
    expect(toWire(second)).toEqual(toWire(first));
  });

  it('lists every field of interest once more than it occurs', async () => {
    const headers = [
      ['X-Order', '48'],
      ['Feedback-ID', '1:2:3:shop'],
      ['List-Unsubscribe', '<https://shop.example/u>'],
      ['Comments', 'none'],
    ] as const;
    const { h } = tagsOf(await sign(composeMessage({ ...parts, html: null, headers })));
    expect(h).toBe(
      'From:From:Subject:Subject:To:To:Date:Date:Message-ID:Message-ID:Reply-To:Cc:MIME-Version:MIME-Version:' +
        'Content-Type:Content-Type:List-Unsubscribe:List-Unsubscribe:List-Unsubscribe-Post:' +
        'X-Order:Feedback-ID:Feedback-ID:Content-Transfer-Encoding:Content-Transfer-Encoding',
    );
  });

  it('keeps every line of the signature within 76 columns', async () => {
    const headers = Array.from({ length: 30 }, (_, i) => [`X-Custom-Field-${i}`, 'x'] as const);
    const signed = await sign(composeMessage({ ...parts, headers }));
    for (const line of signatureOf(signed).split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
    expect(await verdict(signed)).toBe('pass');
  });

  it('passes with fields of the same name, signed from the last to the first', async () => {
    const headers = [
      ['X-A', 'one'],
      ['x-a', 'two'],
    ] as const;
    expect(await verdict(await sign(composeMessage({ ...parts, headers })))).toBe('pass');
  });

  it('passes with an address beyond ASCII in its header', async () => {
    const from = mailbox('büro.日本@shop.example');
    expect(await verdict(await sign(composeMessage({ ...parts, from })))).toBe('pass');
  });

  it('passes when its body is large enough to be hashed elsewhere', async () => {
    const content = Buffer.alloc(300_000, 'attached \t');
    const file = { filename: 'a.bin', content, contentType: 'application/octet-stream', contentId: null };
    expect(await verdict(await sign(composeMessage({ ...parts, attachments: [file] })))).toBe('pass');
  });

  it.each([
    ['empty', ''],
    ['one empty line', '\r\n'],
    ['only line ends', '\r\n'.repeat(50)],
    ['only white space', ' \t \r\n\t'],
    ['trailing empty lines', 'Hello\r\n\r\n\r\n\r\n'],
    ['trailing lines of white space', 'Hello\r\n \r\n\t\r\n  '],
    ['no line end', 'Hello'],
    ['lone dots', '.\r\n.\r\n..\r\n. \r\n.'],
    ['tabs', '\tHello\t\tJane\t\r\n\t\r\nBye\r\n'],
    ['runs of spaces', '   Hello    Jane   \r\n  Bye  now\r\n'],
    ['a long line', `${'long '.repeat(4000)}\r\n`],
    ['a line of spaces', `${' '.repeat(100_000)}x\r\n`],
    ['raw UTF-8', 'Grüße aus 東京 \u00a0 😀\r\n'],
    [
      'every octet',
      Buffer.from(Array.from({ length: 256 }, (_, i) => i).filter((i) => i !== 10 && i !== 13)),
    ],
  ])('passes with a body that is %s', async (_, body) => {
    expect(await verdict(await sign(withBody(body)))).toBe('pass');
  });
});

describe('a change on the way', () => {
  it.each(CLOSED)('that adds another %s is found, above and below', async (name, value) => {
    const headers = [
      ['List-Unsubscribe', '<https://shop.example/u>'],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['Feedback-ID', '1:2:3:shop'],
    ] as const;
    const replyTo = [mailbox('help@shop.example')];
    const message = composeMessage({ ...parts, html: null, headers, replyTo, cc: parts.to });
    const signed = await sign(message);
    expect(await verdict(signed)).toBe('pass');
    const added = `${name}: ${value}`;
    expect(await verdict({ ...signed, headers: [added, ...signed.headers] })).toBe('fail');
    expect(await verdict({ ...signed, headers: [...signed.headers, added] })).toBe('fail');
  });

  it.each(CLOSED.slice(5, 7).concat(CLOSED.slice(9, 11)))(
    'that adds a %s where there was none is found',
    async (name, value) => {
      const signed = await sign(composeMessage(parts));
      expect(await verdict({ ...signed, headers: [`${name}: ${value}`, ...signed.headers] })).toBe('fail');
    },
  );

  it('of white space alone is none', async () => {
    const signed = await sign(withBody('Hello Jane\r\nBye\r\n'));
    const headers = signed.headers.map((field) => field.replace(/^Subject: Your/, 'SUBJECT:  Your\t'));
    expect(headers).not.toEqual(signed.headers);
    expect(await verdict({ headers, body: Buffer.from('Hello \t Jane \r\nBye\t\r\n\r\n') })).toBe('pass');
  });

  it('of any visible octet of the body is found', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(), fc.nat(), async (body, at) => {
        const signed = await sign(withBody(body));
        expect(await verdict(signed)).toBe('pass');
        const visible = [...body.keys()].filter((i) => (body[i] as number) > 0x20);
        fc.pre(visible.length > 0);
        const changed = Buffer.from(body);
        const index = visible[at % visible.length] as number;
        changed[index] = changed[index] === 0x78 ? 0x79 : 0x78;
        expect(await verdict({ ...signed, body: changed })).not.toBe('pass');
      }),
      runs(60),
    );
  });

  it('of any visible character of any field is found', async () => {
    await fc.assert(
      fc.asyncProperty(messages(), fc.nat(), fc.nat(), async (message, field, at) => {
        const signed = await sign(message);
        expect(await verdict(signed)).toBe('pass');
        const index = 1 + (field % message.headers.length);
        const before = signed.headers[index] as string;
        const value = before.indexOf(':') + 1;
        const visible = [...Array(before.length).keys()].filter(
          (i) => i >= value && /[!-~]/.test(before[i] as string),
        );
        fc.pre(visible.length > 0);
        const place = visible[at % visible.length] as number;
        const after = before.slice(0, place) + (before[place] === 'x' ? 'y' : 'x') + before.slice(place + 1);
        expect(await verdict({ ...signed, headers: signed.headers.with(index, after) })).toBe('fail');
      }),
      runs(60),
    );
  });
});

describe('what must never be signed', () => {
  it.each(['shop.example; l=0', 'shop..example', '', 'täst.example', 'a\r\nb'])(
    'a domain %j',
    async (domain) => {
      await expect(signMessage(composeMessage(parts), [{ ...signer, domain }], SIGNED_AT)).rejects.toThrow(
        'domain',
      );
    },
  );

  it.each([1.5, -1, Number.NaN])('a moment of %d seconds', async (seconds) => {
    await expect(signMessage(composeMessage(parts), [signer], seconds)).rejects.toThrow('second');
  });
});

/** Lines as they are on the wire, where the last one has an end too, with everything else in between. */
function bodies(): fc.Arbitrary<Buffer> {
  const octet = fc.integer({ min: 0, max: 255 }).filter((one) => one !== 10 && one !== 13);
  const piece = fc.oneof(
    fc.constantFrom(' ', '  ', '\t', '\r\n', '\r\n\r\n', '.', 'word', 'x'.repeat(1200)),
    octet.map((one) => String.fromCharCode(one)),
  );
  return fc.array(piece, { maxLength: 30 }).map((pieces) => {
    const text = pieces.join('');
    return Buffer.from(text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
  });
}

function messages(): fc.Arbitrary<ComposedMessage> {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 120 })
    .map((one) => one.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''));
  const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,40}$/);
  return fc
    .record({
      // Not à and the like: mailauth takes the octet A0 inside it for white space.
      local: fc.constantFrom('orders', 'büro', '注文', 'o.rders+tag'),
      subject: text,
      fromName: text,
      text,
      html: fc.option(text),
      headers: fc.array(fc.tuple(name, text), { maxLength: 6 }),
    })
    .map(({ local, fromName, ...rest }) =>
      composeMessage({ ...parts, ...rest, from: mailbox(`${local}@shop.example`, fromName) }),
    );
}
