import { describe, expect, it } from 'vitest';
import { KEY_RECORD, type SigningOptions, signed } from '../../../test/received/differential/signer.ts';
import { authenticateMail } from './authenticate.ts';
import { readReceived } from './read-received.ts';

const ATTACKER_SPF = 'v=spf1 ip4:192.0.2.1 -all';
const missing = async () => ({ kind: 'nxdomain' }) as const;
const found = (record: string) => ({ kind: 'found', records: [record] }) as const;
const resolver = {
  txt: async (name: string) => {
    if (name.startsWith('test._domainkey.')) return found(KEY_RECORD);
    if (name === '_dmarc.victim.example' || name === '_dmarc.attacker.example')
      return found('v=DMARC1; p=reject');
    return name === 'attacker.example' ? found(ATTACKER_SPF) : missing();
  },
  ...{ a: missing, aaaa: missing, mx: missing, ptr: missing },
};

const SIGNING: SigningOptions = {
  domain: 'victim.example',
  names: ['From', 'To', 'Subject', 'Date', 'Reply-To', 'Content-Type'],
  form: 'relaxed/relaxed',
};
const FIELDS = [
  'From: The Shop <shop@victim.example>',
  'To: you@example.org',
  'Subject: Your order',
  'Date: Mon, 2 Nov 2026 10:00:00 +0000',
  'Reply-To: help@victim.example',
  'Content-Type: text/plain; charset=utf-8',
];
const GENUINE = `${FIELDS.join('\r\n')}\r\n\r\nIt is on its way.\r\n`;

/** The sender is an attacker, who uses an envelope address of their own. */
function authenticate(raw: string, mailFrom = 'x@attacker.example') {
  const envelope = { mailFrom, helo: 'attacker.example', remoteAddress: '192.0.2.1' };
  const mail = { raw: Buffer.from(raw, 'latin1'), ...envelope };
  return authenticateMail({ resolver, nowMs: Date.now }, mail);
}

describe('genuine mail', () => {
  it('passes DKIM and DMARC', async () => {
    expect(await authenticate(signed(GENUINE, SIGNING))).toMatchObject({
      dkim: { result: 'pass', signatures: [{ domain: 'victim.example', result: 'pass', reason: null }] },
      dmarc: { result: 'pass', domain: 'victim.example', policy: 'reject' },
    });
  });

  it.each([
    'Received: from a by b',
    'Authentication-Results: a; spf=pass',
    'X-Spam: no',
    'Delivered-To: a@b.example',
  ])('passes with a trace field in front: %s', async (field) => {
    const raw = `${field}\r\n${signed(GENUINE, SIGNING)}`;
    expect(await authenticate(raw)).toMatchObject({ dkim: { result: 'pass' }, dmarc: { result: 'pass' } });
  });

  it('passes DMARC by SPF alone', async () => {
    const raw = 'From: x@attacker.example\r\nSubject: Hello\r\n\r\nText\r\n';
    expect(await authenticate(raw)).toMatchObject({
      spf: { result: 'pass' },
      dkim: { result: 'none' },
      dmarc: { result: 'pass', domain: 'attacker.example' },
    });
  });
});

describe('a forged sender', () => {
  const FORGED = 'X-A: b\nFrom: The CEO <ceo@victim.example>\nSubject: Pay this\n\nPay it today.\r\n';

  it('in a header that ends with bare line feeds does not pass, even if a genuine message follows', async () => {
    const raw = FORGED + signed(GENUINE, SIGNING);
    const { from } = await readReceived(Buffer.from(raw), 'x@attacker.example');
    expect(from?.email).toBe('ceo@victim.example');
    expect(await authenticate(raw)).toMatchObject({
      dkim: { result: 'none' },
      dmarc: { result: 'fail', domain: 'victim.example', policy: 'reject' },
    });
  });

  it('in front of the signed fields does not pass', async () => {
    const raw = `From: The CEO <ceo@victim.example>\r\nSubject: Pay this\r\n${signed(GENUINE, SIGNING)}`;
    const { dkim, dmarc } = await authenticate(raw);
    expect(dkim).toMatchObject({
      result: 'fail',
      signatures: [{ result: 'fail', reason: 'The header has From more than once.' }],
    });
    expect(dmarc).toMatchObject({ result: 'fail', domain: 'victim.example' });
  });

  it('beside a sender that SPF proves does not pass', async () => {
    const raw = 'From: ceo@victim.example\r\nFrom: x@attacker.example\r\nSubject: a\r\n\r\nText\r\n';
    expect(await authenticate(raw)).toMatchObject({ spf: { result: 'pass' }, dmarc: { result: 'fail' } });
    const turned = 'From: x@attacker.example\r\nFrom: ceo@victim.example\r\nSubject: a\r\n\r\nText\r\n';
    expect(await authenticate(turned)).toMatchObject({ spf: { result: 'pass' }, dmarc: { result: 'fail' } });
  });

  it('in a list of senders does not pass', async () => {
    const raw = 'From: x@attacker.example, ceo@victim.example\r\nSubject: a\r\n\r\nText\r\n';
    expect(await authenticate(raw)).toMatchObject({
      dmarc: { result: 'fail', domain: 'attacker.example' },
    });
  });
});

describe('a signed message', () => {
  it.each([
    ['Subject', 'Subject: Pay this'],
    ['Date', 'Date: Tue, 3 Nov 2026 10:00:00 +0000'],
    ['To', 'To: somebody@else.example'],
    ['Reply-To', 'Reply-To: x@attacker.example'],
    ['Content-Type', 'Content-Type: text/html'],
    ['Cc', 'Cc: a@b.example\r\nCc: c@d.example'],
    ['Sender', 'Sender: a@b.example\r\nSender: c@d.example'],
    ['Content-Transfer-Encoding', 'Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64'],
  ])('with a second %s does not pass, in front or behind', async (name, field) => {
    const message = signed(GENUINE, SIGNING);
    for (const raw of [`${field}\r\n${message}`, message.replace('\r\n\r\n', `\r\n${field}\r\n\r\n`)])
      expect(await authenticate(raw)).toMatchObject({
        dkim: { result: 'fail', signatures: [{ reason: `The header has ${name} more than once.` }] },
        dmarc: { result: 'fail' },
      });
  });

  it('with a signature over a part of the body does not pass, extended or not', async () => {
    const message = signed(GENUINE, { ...SIGNING, hasLength: true });
    for (const raw of [message, `${message}Pay this instead.\r\n`])
      expect(await authenticate(raw)).toMatchObject({ dkim: { result: 'fail' }, dmarc: { result: 'fail' } });
  });

  it.each([
    ['a bare line feed in the body', 'It is on its way.', 'It is on\nits way.'],
    ['a bare carriage return in the body', 'It is on its way.', 'It is on\rits way.'],
    ['a NUL in the body', 'It is on its way.', 'It is on\0its way.'],
    ['a line that is no field', 'To: you', 'no field\r\nTo: you'],
    ['white space before a colon', 'To: you', 'X-A : b\r\nTo: you'],
    ['two boundaries', 'text/plain; charset=utf-8', 'multipart/mixed; boundary=a; boundary=b'],
    ['a group for its sender', 'The Shop <shop@victim.example>', 'Us: shop@victim.example;'],
    ['an encoded address', 'The Shop <shop@victim.example>', '=?utf-8?Q?shop?=@victim.example'],
  ])('with %s does not pass, even where its owner signed it', async (_what, before, after) => {
    const raw = signed(GENUINE.replace(before, after), SIGNING);
    const { dkim, dmarc } = await authenticate(raw);
    expect([dkim.result, dmarc.result]).not.toContain('pass');
  });
});
