import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../runtime/sliced-work.ts';
import { writingWire } from './compose.ts';
import { signMessage } from './dkim.ts';
import { checkHeaderName } from './header-check.ts';
import { decodedBytes } from './reading/part-text.ts';
import { readShown } from './reading/shown-message.ts';
import { composingSubmitted, lookingForOpenHtml, type SubmittedParts, submittedField } from './submitted.ts';

const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));
const composeSubmitted = (...args: Parameters<typeof composingSubmitted>) =>
  atOnce(composingSubmitted(...args));

const OWN: Omit<SubmittedParts, 'mime'> = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: Date.UTC(2026, 10, 15, 2, 6),
  messageIdDomain: 'example.org',
  serviceFields: [['X-Postrider-Ref', 'ref']],
  inHtml: null,
};
const HEAD = 'From: a@example.org\r\nDate: Sun, 15 Nov 2026 02:06:00 +0000\r\nMessage-ID: <1@x>\r\n';
const REF = 'X-Postrider-Ref: ref\r\n';

interface Changes extends Partial<Pick<SubmittedParts, 'serviceFields'>> {
  readonly inHtml?: (html: string) => string;
}

function compose(mime: Buffer | string, { inHtml, ...rest }: Changes = {}): Buffer {
  const change = inHtml && { inHtml: inOneStep(inHtml) };
  return toWire(composeSubmitted({ ...OWN, mime: Buffer.from(mime as string), ...rest, ...change }));
}

function inOneStep(change: (content: string) => string): SubmittedParts['inHtml'] {
  return function* (content) {
    yield;
    return change(content);
  };
}

const multipart = (type: string, ...parts: string[]) =>
  `${HEAD}Content-Type: ${type}; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;

/** Each is kept octet by octet. */
const KEPT: readonly (readonly [string, Buffer | string])[] = [
  ['a plain text', `${HEAD}\r\nHello\r\n`],
  ['a header alone', `${HEAD}\r\n`],
  ['trailing blanks and empty lines', `${HEAD}\r\n  two \t \r\n\r\n\r\n \r\n`],
  ['lines of dots', `${HEAD}\r\n.\r\n..\r\n.hidden\r\n`],
  ['a folded field with tabs', `${HEAD}Subject: a\r\n\tb\r\n   c\r\nX-EMPTY:\r\n\r\nx\r\n`],
  [
    '8bit',
    Buffer.concat([
      Buffer.from(`${HEAD}Content-Type: text/plain; charset=iso-8859-1\r\n\r\n`),
      Buffer.from('Gr\xfc\xdfe\r\n', 'latin1'),
    ]),
  ],
  ['UTF-8 in the header', `${HEAD}Subject: Grüße 🐎\r\n\r\nx\r\n`],
  ['a line of 5,000 characters', `${HEAD}\r\n${'x'.repeat(5_000)}\r\n`],
  [
    'an attachment',
    multipart(
      'multipart/mixed',
      'Content-Type: text/plain\r\n\r\nhi',
      'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=',
    ),
  ],
  [
    'nested multiparts',
    multipart(
      'multipart/mixed',
      'Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\na\r\n--c\r\nContent-Type: text/html\r\n\r\n<b>\r\n--c--',
    ),
  ],
  [
    'S/MIME',
    multipart(
      'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256',
      'Content-Type: text/plain\r\n\r\nsigned  ',
      'Content-Type: application/pkcs7-signature; name=smime.p7s\r\nContent-Transfer-Encoding: base64\r\n\r\nMIIF',
    ),
  ],
  [
    'encrypted S/MIME',
    `${HEAD}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\nContent-Transfer-Encoding: base64\r\n\r\nMIIF\r\n`,
  ],
  [
    'PGP',
    multipart(
      'multipart/encrypted; protocol="application/pgp-encrypted"',
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
      'Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----',
    ),
  ],
  [
    'a calendar invite',
    multipart(
      'multipart/alternative',
      'Content-Type: text/plain\r\n\r\ninvite',
      'Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR',
    ),
  ],
];

/** Each is taken out, and the rest is kept octet by octet. */
const OF_SERVERS = [
  'Received: from app by relay.test;\r\n\tSun, 15 Nov 2026 02:06:00 +0000',
  'DKIM-Signature: v=1; a=rsa-sha256; d=other.test;\r\n\tb=abc',
  'X-Google-DKIM-Signature: v=1; d=1e100.net; b=abc',
  'DomainKey-Signature: a=rsa-sha1; d=other.test; b=abc',
  'Authentication-Results: mx.receiver.test; dmarc=pass header.from=bank.test',
  'authentication-results : mx.receiver.test; dkim=pass',
  'X-Original-Authentication-Results: mx.receiver.test; spf=pass',
  'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=bank.test; b=abc',
  'ARC-Authentication-Results: i=1; mx.receiver.test; dmarc=pass',
  'Received-SPF: pass (mx.receiver.test: 192.0.2.1 is allowed)',
  'Resent-From: ceo@bank.test',
  'Delivered-To: ceo@receiver.test',
  'X-Original-To: ceo@receiver.test',
  'BIMI-Location: v=BIMI1; l=https://bank.test/logo.svg',
  'X-Spam-Status: No, score=-100',
  'X-MS-Exchange-Organization-SCL: -1',
];

const isOpen = (mime: Buffer) => atOnce(lookingForOpenHtml(mime, submittedField(mime, 'content-type')));

describe('a submitted message', () => {
  it.each(KEPT)('goes out byte for byte: %s', (_what, mime) => {
    expect(compose(mime).toString('latin1')).toBe(REF + Buffer.from(mime as string).toString('latin1'));
  });

  it.each(KEPT)('goes out the same with a pixel that has nowhere to stand: %s', (_what, mime) => {
    if (isOpen(Buffer.from(mime as string))) return;
    const inHtml = () => 'changed';
    expect(compose(mime, { inHtml }).equals(compose(mime))).toBe(true);
  });

  it('gets a Date and a Message-ID where it has none, above what it has', () => {
    expect(compose('From: a@example.org\r\n\r\nx\r\n').toString()).toBe(
      'Date: Sun, 15 Nov 2026 02:06:00 +0000\r\n' +
        'Message-ID: <01932e1b-7c2a-7000-8000-0123456789ab@example.org>\r\n' +
        `${REF}From: a@example.org\r\n\r\nx\r\n`,
    );
  });

  it('loses what is private, and nothing else', () => {
    const secret =
      'Bcc: b@x.test,\r\n c@x.test\r\nReturn-Path: <a@x.test>\r\nresent-bcc: d@x.test\r\nX-Postrider-Tag: a=b\r\n' +
      'X-Postrider-Ref: forged\r\nX-PM-Tag: t\r\nX-SMTPAPI: {}\r\nX-Mailgun-Variables: {}\r\nX-SES-CONFIGURATION-SET: s\r\n' +
      'Resend-Idempotency-Key: k\r\n';
    const kept = 'X-PMail: 1\r\nReturn-Receipt-To: a@x.test\r\nX-Mailer: x\r\n';
    expect(compose(`${HEAD}${secret}${kept}\r\nx\r\n`).toString()).toBe(`${REF}${HEAD}${kept}\r\nx\r\n`);
  });

  it.each(OF_SERVERS)('loses what receivers believe of mail servers alone: %s', (field) => {
    const wire = compose(`${field}\r\n${HEAD}X-Mailer: x\r\n\r\nx\r\n`).toString();
    expect(wire.replace(/^X-Postrider-Hops: .*\r\n/m, '')).toBe(`${REF}${HEAD}X-Mailer: x\r\n\r\nx\r\n`);
  });

  it('loses no field that the API would take', () => {
    for (const field of OF_SERVERS) {
      const name = field.slice(0, field.indexOf(':')).trim();
      expect(checkHeaderName(name).ok, name).toBe(false);
    }
  });

  it('says how often it was passed on, so that loops still end', () => {
    const passedOn = 'Received: from b by c\r\nReceived: from a by b\r\n';
    expect(compose(`${passedOn}${HEAD}\r\nx\r\n`).toString()).toContain('X-Postrider-Hops: 2\r\n');
    const again = compose(`${passedOn}X-Postrider-Hops: 5\r\n${HEAD}\r\nx\r\n`).toString();
    expect(again.match(/^X-Postrider-Hops: .*$/gm)).toEqual(['X-Postrider-Hops: 7']);
    expect(compose(`${HEAD}\r\nx\r\n`).toString()).not.toContain('Hops');
  });

  it('keeps its own fields over those that would be added', () => {
    const serviceFields = [['List-Unsubscribe', 'ours']] as const;
    const own = compose(`${HEAD}List-Unsubscribe: theirs\r\n\r\n`, { serviceFields }).toString();
    expect(own).not.toContain('ours');
    expect(compose(`${HEAD}\r\n`, { serviceFields }).toString()).toContain('List-Unsubscribe: ours');
  });

  it('gets our Feedback-ID in place of its own', () => {
    const serviceFields = [['Feedback-ID', 'ours']] as const;
    const wire = compose(`${HEAD}Feedback-ID: theirs\r\nfeedback-id : more\r\n\r\n`, { serviceFields });
    expect(wire.toString().match(/^feedback-id.*$/gim)).toEqual(['Feedback-ID: ours']);
  });
});

describe('a pixel in a submitted message', () => {
  const inHtml = (html: string) => html.replace('</p>', '<img src="http://x/t/o/=abc.gif"></p>');

  it.each([
    ['7bit', '<p>Hello</p>'],
    ['8bit', '<p>Grüße</p>'],
    ['quoted-printable', '<p>Gr=C3=BC=\r\n=C3=9Fe</p>'],
    ['base64', Buffer.from('<p>Grüße</p>').toString('base64')],
  ])('stands in its html in %s, and the rest stays as it was', (encoding, html) => {
    const part = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    const mime = Buffer.from(
      multipart(
        'multipart/alternative',
        'Content-Type: text/plain\r\n\r\nhi',
        part + html,
        'Content-Type: text/calendar\r\n\r\nBEGIN',
      ),
    );
    const wire = compose(mime, { inHtml });
    const before = readShown(mime).html;
    const after = readShown(wire).html;
    if (before === null || after === null) throw new Error('no html');
    expect(decodedBytes(after).toString()).toBe(inHtml(decodedBytes(before).toString()));
    const [head, tail] = mime.toString().split(html);
    expect(wire.toString().startsWith(REF + (head ?? '?'))).toBe(true);
    expect(wire.toString().endsWith(tail ?? '?')).toBe(true);
    for (const line of wire.toString().split('\r\n')) expect(line.length).toBeLessThan(120);
  });

  it('stands in html that is all of the message', () => {
    const wire = compose(
      `${HEAD}Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa('<p>x</p>')}\r\n`,
      { inHtml },
    );
    const { html } = readShown(wire);
    expect(html && decodedBytes(html).toString()).toBe('<p>x<img src="http://x/t/o/=abc.gif"></p>');
    expect(wire.toString().endsWith('\r\n')).toBe(true);
  });

  it('stands in html of a message whose DKIM signature is taken out', () => {
    const signed = `DKIM-Signature: v=1; d=other.test; b=abc\r\n${HEAD}Content-Type: text/html\r\n\r\n<p>x</p>\r\n`;
    expect(isOpen(Buffer.from(signed))).toBe(true);
    expect(compose(signed, { inHtml }).toString()).toContain('=abc.gif');
  });

  it('has no place in a character set that is not based on ASCII', () => {
    const mime = `${HEAD}Content-Type: text/html; charset=utf-16le\r\n\r\n<p></p>\r\n`;
    expect(isOpen(Buffer.from(mime))).toBe(false);
    expect(compose(mime, { inHtml }).equals(compose(mime))).toBe(true);
  });
});

describe('our signature', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${spki}`]];

  it.each(KEPT)('is good on %s', async (_what, mime) => {
    const composed = composeSubmitted({ ...OWN, mime: Buffer.from(mime as string) });
    const signer = { domain: 'example.org', selector: 's', key: privateKey };
    const wire = toWire(await signMessage(composed, [signer], 1_794_000_000));
    const { results } = await dkimVerify(wire, { resolver });
    const ours = results.find(
      ({ signingDomain }: { signingDomain: string }) => signingDomain === 'example.org',
    );
    expect(ours?.status.result).toBe('pass');
  });
});
