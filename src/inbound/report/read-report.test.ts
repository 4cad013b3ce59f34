import { describe, expect, it } from 'vitest';
import { readReply } from './quoted-reply.ts';
import { readDeliveryStatus } from './read-report.ts';
import { readAddress, readHost } from './typed-values.ts';

const recipient = (fields: string) =>
  readDeliveryStatus(Buffer.from(`Reporting-MTA: dns; mx\n\n${fields}\n`));

describe('readDeliveryStatus', () => {
  it('returns null if no block is about a recipient', () => {
    expect(recipient('X-Note: none')).toBeNull();
    expect(readDeliveryStatus(Buffer.alloc(0))).toBeNull();
  });

  it.each([
    ['Action: FAILED (bounced)', 'failed'],
    ['Action: relayed (to non-DSN-aware mailer)', 'relayed'],
    ['Action: exploded\nStatus: 4.4.1', 'delayed'],
    ['Status: 5.1.1', 'failed'],
    ['Status: 2.0.0', 'delivered'],
    ['Diagnostic-Code: smtp; 550 5.1.1 no', 'failed'],
    ['Action: failed\nStatus: 4.4.7', 'failed'],
  ])('reads the action of %j', (fields, action) => {
    expect(recipient(fields)?.action).toBe(action);
  });

  it.each([
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.1 no', '5.1.1'],
    ['Status: 5.2.1\nDiagnostic-Code: smtp; 550 5.1.1 no', '5.2.1'],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 450 4.2.2 full', '5.0.0'],
    ['Action: failed\nDiagnostic-Code: smtp; 550 5.7.1 no', '5.7.1'],
    ['Action: failed\nStatus: nonsense', null],
  ])('reads the status of %j', (fields, status) => {
    expect(recipient(fields)?.status).toBe(status);
  });

  it('prefers failed to delayed to any other action, and the first among equals', () => {
    const block = (name: string, action: string) =>
      `Final-Recipient: rfc822;${name}@example.net\nAction: ${action}\n\n`;
    const all = [block('a', 'delivered'), block('b', 'delayed'), block('c', 'failed'), block('d', 'failed')];
    expect(recipient(all.join(''))?.recipient).toBe('c@example.net');
    expect(recipient(all.slice(0, 2).join(''))?.recipient).toBe('b@example.net');
    expect(recipient(block('a', 'expanded') + block('b', 'delivered'))?.recipient).toBe('a@example.net');
  });
});

describe('readReply', () => {
  it.each([
    ['550 5.1.1 No such user', 550, '5.1.1', '550 5.1.1 No such user'],
    ['550-5.1.1 No 550-5.1.1 such 550 5.1.1 user', 550, '5.1.1', '550 5.1.1 No such user'],
    ['550-no 550-such 550 user', 550, null, '550 no such 550 user'],
    ['550 see 5.9.9.9 and 10.5.1.1', 550, null, '550 see 5.9.9.9 and 10.5.1.1'],
    ['host mx said: 452 4.2.2 full', 452, '4.2.2', 'host mx said: 452 4.2.2 full'],
    ["5.1.0 - Unknown address error 550-'x'", 550, '5.1.0', "5.1.0 - Unknown address error 550-'x'"],
    ['the 500 users are full', null, null, 'the 500 users are full'],
    ['5501 x', null, null, '5501 x'],
    ['450 5.1.1 odd', 450, null, '450 5.1.1 odd'],
  ])('reads %j', (text, smtpCode, status, clean) => {
    expect(readReply(text)).toEqual({ smtpCode, status, text: clean });
  });

  it('neutralizes control and direction characters', () => {
    expect(readReply('550 a\u0000b\u001b[31m\u202ec').text).toBe('550 a?b?[31m?c');
  });
});

describe('readAddress', () => {
  it.each([
    ['rfc822; nobody@example.net', 'nobody@example.net'],
    ['RFC822;<nobody@example.net>', 'nobody@example.net'],
    ['nobody@example.net', 'nobody@example.net'],
    ['rfc822;a+2Bb+3Dc@example.net', 'a+b=c@example.net'],
    ['rfc822;user+42@example.net', 'user+42@example.net'],
    ['utf-8;k\\x{E4}the@example.net', 'käthe@example.net'],
    ['utf-8; 用户@example.net', '用户@example.net'],
    ['utf-8;a\\x{110000}\\x{D800}@example.net', 'a\\x{110000}\\x{D800}@example.net'],
  ])('reads %j', (value, address) => {
    expect(readAddress(value)).toBe(address);
  });

  it.each([
    undefined,
    '',
    'rfc822;',
    'nobody',
    '@example.net',
    'nobody@',
    'redacted@example.net',
    'Redacted',
    '[redacted]@example.net',
    'n****y@example.net',
    'xxx@example.net',
    `${'x'.repeat(400)}@example.net`,
  ])('sees no address in %j', (value) => {
    expect(readAddress(value)).toBeNull();
  });
});

describe('readHost', () => {
  it.each([
    ['dns; mx.example.net', 'mx.example.net'],
    ['dns;mx.example.net. (192.0.2.1, the server)', 'mx.example.net'],
    ['mx.example.net', 'mx.example.net'],
    ['dns;', null],
    [undefined, null],
  ])('reads %j', (value, host) => {
    expect(readHost(value)).toBe(host);
  });
});
