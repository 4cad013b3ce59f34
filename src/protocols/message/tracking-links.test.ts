import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/addresses.ts';
import { newId, uuidv7 } from '../../runtime/ids.ts';
import { atOnce } from '../../runtime/sliced-work.ts';
import {
  clickRedirect,
  insertingPixel,
  pixelTag,
  tokenInSubject,
  unsubscribeHeaders,
} from './tracking-links.ts';

const insertPixel = (...args: Parameters<typeof insertingPixel>) => atOnce(insertingPixel(...args));

const URL = 'https://mail.example.org/t/o/token.gif';
const TAG = pixelTag(URL);

describe('the pixel', () => {
  it.each([
    ['<p>Hi</p>', `<p>Hi</p>${TAG}`],
    ['', TAG],
    ['<body><p>Hi</p></body></html>', `<body><p>Hi</p>${TAG}</body></html>`],
    ['<BODY>Hi</BODY\n></HTML>', `<BODY>Hi${TAG}</BODY\n></HTML>`],
    ['a</body>b</body>c', `a</body>b${TAG}</body>c`],
    ['</body>', `${TAG}</body>`],
    ['<b>x</bodyguard>', `<b>x</bodyguard>${TAG}`],
    ['<body>x</body><!-- </body> -->', `<body>x${TAG}</body><!-- </body> -->`],
    ['<body>x<!-- a --></body>', `<body>x<!-- a -->${TAG}</body>`],
    ['<!--</body><!--</body>', `<!--</body><!--</body>${TAG}`],
    ['İİİ</body>', `İİİ${TAG}</body>`],
  ])('goes into %j where readers fetch it', (html, expected) => {
    expect(insertPixel(html, URL)).toBe(expected);
  });

  it('leaves any html as it was but for itself', () => {
    const piece = fc.constantFrom('</body>', '<body>', '<!--', '-->', '</', '<', 'body', 'İ', '\u0000', '\n');
    const html = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(html, (text) => {
        const tracked = insertPixel(text, URL);
        const at = tracked.indexOf(TAG);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(tracked.slice(0, at) + tracked.slice(at + TAG.length)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is found a place for in two megabytes made to be slow', () => {
    for (const piece of ['</body><!--', '<!--</body>', '</', '</body', '-->'])
      expect(insertPixel(piece.repeat(200_000), URL)).toContain(TAG);
  });

  it('has an address that cannot leave its attribute', () => {
    expect(pixelTag('https://x/?a="b&c')).toContain('src="https://x/?a=&quot;b&amp;c"');
  });
});

describe('the ways to unsubscribe', () => {
  const ref = {
    organizationId: 'org_0123456789abc',
    emailId: '01932e1b-7c2a-7000-8000-0123456789ab',
    address: address('ada@example.org').email,
    group: 'news',
  };
  const links = { key: Buffer.alloc(32, 7), publicUrl: 'https://mail.example.org' };
  const field = (mailHost: string | null, address = ref.address) =>
    unsubscribeHeaders({ ...links, mailHost }, { ...ref, address })[0]?.[1] ?? '';

  it('are a link alone where mail would not reach us, and one by mail beside it where it would', () => {
    expect(field(null)).toMatch(/^<https:\/\/mail\.example\.org\/u\/[\w-]+>$/);
    expect(field('mail.example.org')).toMatch(
      /^<https:[^>]+>, <mailto:unsubscribe@mail\.example\.org\?subject=unsubscribe:[\w-]+>$/,
    );
  });

  it('are the link alone where an address leaves no room for both', () => {
    const { email } = address(`${'a'.repeat(60)}@${'bbbbbbbbb.'.repeat(18)}example`);
    expect(field('mail.example.org', email)).not.toContain('mailto:');
  });

  it('by mail come back in a subject that others folded and prefixed', () => {
    const token = /subject=unsubscribe:([\w-]+)/.exec(field('mail.example.org'))?.[1] ?? '';
    expect(tokenInSubject(`Re: Unsubscribe:${token.slice(0, 40)}\r\n ${token.slice(40)}`)).toBe(token);
    expect(tokenInSubject('unsubscribe me please')).toBeNull();
  });
});

describe('links that are tracked', () => {
  const ref = { organizationId: newId('org'), emailId: uuidv7(Date.now()), position: 0 };
  const redirect = clickRedirect(
    { key: Buffer.alloc(32, 1), publicUrl: 'https://mail.example.org' },
    ref,
    null,
  );

  it.each([
    'https://shop.example/unsubscribe?u=7',
    'https://shop.example/email/un-subscribe',
    'https://shop.example/mail?do=optout',
    'https://shop.example/newsletter/abmelden',
    'https://shop.example/d%C3%A9sabonnement',
    'https://shop.example/desinscription',
  ])('are never those to unsubscribe: %s', (url) => {
    expect(redirect(url)).toBeNull();
  });

  it.each(['https://shop.example/', 'https://shop.example/subscribe', 'https://shop.example/out-of-stock'])(
    'are all others: %s',
    (url) => {
      expect(redirect(url)).toMatch(/^https:\/\/mail\.example\.org\/t\/c\//);
    },
  );
});
