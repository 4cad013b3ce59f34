import { atOnce } from '../../src/runtime/sliced-work.ts';
/** A second opinion on our signatures, with the key asked of a real DNS server, as receivers do it. */

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ComposedMessage,
  composing,
  type MessageParts,
  writingWire,
} from '../../src/protocols/message/compose.ts';
import { signMessage } from '../../src/protocols/message/dkim.ts';
import { mailbox } from '../support/addresses.ts';
import { DKIMPY_MISSING, type Dkimpy, startDkimpy } from '../support/dkimpy.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const SIGNED_AT = 1_731_636_360;
const OTHER_ID = '01932e1b-7c2a-7000-8000-ba9876543210';
const parts: MessageParts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: SIGNED_AT * 1000,
  messageIdDomain: 'shop.example',
  from: mailbox('orders@shop.example', 'The Shop'),
  to: [mailbox('zoe@customer.example', 'Zoë Müller')],
  cc: [],
  replyTo: [mailbox('help@shop.example')],
  subject: 'Your order is on its way',
  html: '<p>Hello Zoë</p>',
  text: 'Hello Zoë\n',
  headers: [['List-Unsubscribe', '<https://shop.example/unsubscribe>']],
  attachments: [],
};

let dns: DnsZoneServer;
let dkimpy: Dkimpy | null;

beforeAll(async () => {
  dns = await startDnsZone({ 'pr1._domainkey.shop.example': { TXT: [record] } });
  dkimpy = startDkimpy(dns.port);
});
afterAll(async () => {
  dkimpy?.stop();
  await dns.stop();
});
beforeEach((context) => {
  if (dkimpy === null) context.skip(DKIMPY_MISSING);
});

function sign(message: ComposedMessage): Promise<ComposedMessage> {
  return signMessage(message, [{ domain: 'shop.example', selector: 'pr1', key: privateKey }], SIGNED_AT);
}

function verdict(message: ComposedMessage): Promise<string> {
  return (dkimpy as Dkimpy).verdict(toWire(message));
}

function withBody(body: Buffer | string): ComposedMessage {
  return { headers: composeMessage(parts).headers, body: Buffer.from(body) };
}

describe('dkimpy', () => {
  it('accepts a signed message, and asks DNS for its key', async () => {
    dns.forgetQueries();
    expect(await verdict(await sign(composeMessage(parts)))).toBe('pass');
    expect(dns.count('pr1._domainkey.shop.example', 'TXT')).toBe(1);
  });

  it('accepts both of two signatures, each beside the other', async () => {
    dns.set('pr2._domainkey.host.example', { TXT: [record] });
    const signers = [
      { domain: 'shop.example', selector: 'pr1', key: privateKey },
      { domain: 'host.example', selector: 'pr2', key: privateKey },
    ];
    const { headers, body } = await signMessage(composeMessage(parts), signers, SIGNED_AT);
    const [first = '', second = '', ...rest] = headers;
    dns.forgetQueries();
    expect(await verdict({ headers, body })).toBe('pass');
    expect(dns.count('pr1._domainkey.shop.example')).toBe(1);
    // It judges the topmost one.
    expect(await verdict({ headers: [second, first, ...rest], body })).toBe('pass');
    expect(dns.count('pr2._domainkey.host.example')).toBe(1);
    expect(await verdict({ headers: [second, first, ...rest, 'From: eve@evil.example'], body })).toBe('fail');
  });

  it('accepts addresses beyond ASCII, also with an octet that is a space in Latin-1', async () => {
    const from = mailbox('voilà.日本@shop.example');
    expect(await verdict(await sign(composeMessage({ ...parts, from })))).toBe('pass');
  });

  it('accepts attachments', async () => {
    const content = Buffer.alloc(300_000, 'attached \t');
    const file = {
      filename: 'Übersicht.bin',
      content,
      contentType: 'application/octet-stream',
      contentId: null,
    };
    expect(await verdict(await sign(composeMessage({ ...parts, attachments: [file] })))).toBe('pass');
  });

  it('accepts text files, and attached messages with a signature of their own', async () => {
    const inner = toWire(await sign(composeMessage(parts)));
    const files = [
      {
        filename: 'a.csv',
        content: Buffer.from('a,b \n1,2\r\n\t\n'),
        contentType: 'text/csv',
        contentId: null,
      },
      { filename: 'a.eml', content: inner, contentType: 'message/rfc822', contentId: null },
    ];
    const outer = await sign(composeMessage({ ...parts, id: OTHER_ID, attachments: files }));
    expect(await verdict(outer)).toBe('pass');
    const wire = outer.body.toString();
    const attached = wire.slice(wire.indexOf('DKIM-Signature:'), wire.lastIndexOf(`\r\n--=_m_${OTHER_ID}--`));
    expect(attached).toBe(inner.toString());
    expect(await (dkimpy as Dkimpy).verdict(Buffer.from(attached))).toBe('pass');
  });

  it.each([
    ['empty', ''],
    ['only line ends', '\r\n'.repeat(50)],
    ['only white space', ' \t \r\n\t\r\n'],
    ['trailing empty lines', 'Hello\r\n\r\n\r\n\r\n'],
    ['trailing lines of white space', 'Hello\r\n \r\n\t\r\n  \r\n'],
    ['lone dots', '.\r\n.\r\n..\r\n. \r\n.\r\n'],
    ['tabs', '\tHello\t\tJane\t\r\n\t\r\nBye\r\n'],
    ['runs of spaces', '   Hello    Jane   \r\n  Bye  now\r\n'],
    ['a long line', `${'long '.repeat(4000)}\r\n`],
    ['raw UTF-8', 'Grüße aus 東京 \u00a0 😀\r\n'],
  ])('accepts a body that is %s', async (_, body) => {
    expect(await verdict(await sign(withBody(body)))).toBe('pass');
  });

  it('accepts any text and html, and finds any change of the body', async () => {
    const text = fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', '.', 'a', 'é', '=', '😀', '<b>'),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.option(text), fc.nat(), async (plain, html, at) => {
        const signed = await sign(composeMessage({ ...parts, text: plain, html }));
        expect(await verdict(signed)).toBe('pass');
        const visible = [...signed.body.keys()].filter((i) => (signed.body[i] as number) > 0x20);
        fc.pre(visible.length > 0);
        const body = Buffer.from(signed.body);
        const index = visible[at % visible.length] as number;
        body[index] = body[index] === 0x78 ? 0x79 : 0x78;
        expect(await verdict({ ...signed, body })).toBe('fail');
      }),
      { numRuns: 50 },
    );
  });

  it.each(['From', 'Subject', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Cc', 'Reply-To', 'Content-Type'])(
    'refuses a message that got another %s',
    async (name) => {
      const signed = await sign(composeMessage(parts));
      const headers = [`${name}: eve@evil.example`, ...signed.headers];
      expect(await verdict({ ...signed, headers })).toBe('fail');
    },
  );
});
