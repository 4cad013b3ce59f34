import { describe, expect, it } from 'vitest';
import { checkContentId, checkContentType, checkHeaderName, checkHeaderValue } from './header-check.ts';

describe('custom header names', () => {
  it.each([
    'X-Campaign',
    'List-Unsubscribe',
    'Reply-To',
    'x_y',
    'References',
    'BIMI-Selector',
    'Feedback-ID',
  ])('%s may be set', (name) => {
    expect(checkHeaderName(name)).toEqual({ ok: true });
  });

  it.each([
    ['', 'header_name_empty'],
    ['X'.repeat(77), 'header_name_too_long'],
    ['X Y', 'header_name_character'],
    ['X:Y', 'header_name_character'],
    ['X\r\nBcc', 'header_name_character'],
    ['X\n', 'header_name_character'],
    ['X\0', 'header_name_character'],
    ['Ünique', 'header_name_character'],
    ['From', 'header_reserved'],
    ['TO', 'header_reserved'],
    ['cc', 'header_reserved'],
    ['Bcc', 'header_reserved'],
    ['subject', 'header_reserved'],
    ['Sender', 'header_reserved'],
    ['Date', 'header_reserved'],
    ['message-ID', 'header_reserved'],
    ['Return-Path', 'header_reserved'],
    ['Received', 'header_reserved'],
    ['DKIM-Signature', 'header_reserved'],
    ['MIME-Version', 'header_reserved'],
    ['Content-Type', 'header_reserved'],
    ['content-anything', 'header_reserved'],
    ['X-Postrider-Ref', 'header_of_servers'],
    ['x-postrider-Anything', 'header_of_servers'],
    ['Authentication-Results', 'header_of_servers'],
    ['ARC-Seal', 'header_of_servers'],
    ['arc-message-signature', 'header_of_servers'],
    ['Received-SPF', 'header_of_servers'],
    ['RESENT-To', 'header_of_servers'],
    ['Delivered-To', 'header_of_servers'],
    ['DomainKey-Signature', 'header_of_servers'],
    ['X-Original-Authentication-Results', 'header_of_servers'],
    ['Authentication-Results-Original', 'header_of_servers'],
    ['X-Google-DKIM-Signature', 'header_of_servers'],
    ['X-Received', 'header_of_servers'],
    ['X-Original-To', 'header_of_servers'],
    ['Envelope-To', 'header_of_servers'],
    ['BIMI-Location', 'header_of_servers'],
    ['BIMI-Indicator', 'header_of_servers'],
    ['X-Spam-Status', 'header_of_servers'],
    ['X-Spamd-Result', 'header_of_servers'],
    ['X-MS-Exchange-Organization-SCL', 'header_of_servers'],
    ['X-Forefront-Antispam-Report', 'header_of_servers'],
  ])('%j is refused as %s', (name, code) => {
    expect(checkHeaderName(name)).toMatchObject({ ok: false, code });
  });
});

describe('custom header values', () => {
  it.each(['', 'plain', 'Grüße 🎉', 'مرحبا\u200f', '<https://example.com/?a=b>'])(
    '%j may be set',
    (value) => {
      expect(checkHeaderValue(value)).toEqual({ ok: true });
    },
  );

  it.each([
    'a\r\nBcc: x@y.z',
    'a\rb',
    'a\nb',
    'a\0b',
    'a\tb',
    'a\u007fb',
    'a\u0085b',
    'a\u2028b',
    'a\ud800b',
    '\udc00',
  ])('%j is refused', (value) => {
    expect(checkHeaderValue(value)).toMatchObject({ ok: false, code: 'header_value_character' });
  });

  it('longer than 8192 characters are refused', () => {
    expect(checkHeaderValue('x'.repeat(8192))).toEqual({ ok: true });
    expect(checkHeaderValue('x'.repeat(8193))).toMatchObject({ ok: false, code: 'header_value_too_long' });
  });
});

describe('content types and ids', () => {
  it.each([
    'image/png',
    'application/vnd.ms-excel',
    'text/csv; charset=utf-8',
    'text/calendar;method="REQUEST"; x=y',
  ])('%j is a content type', (value) => {
    expect(checkContentType(value)).toEqual({ ok: true });
  });

  it.each([
    '',
    'png',
    'image/',
    'image/png\r\nBcc: x',
    'image/png; a="b',
    'image/png; a=b\0',
    'im age/png',
    `a/${'b'.repeat(200)}`,
  ])('%j is not a content type', (value) => {
    expect(checkContentType(value)).toMatchObject({ ok: false, code: 'content_type_invalid' });
  });

  it('a content id is short printable ASCII without angle brackets', () => {
    expect(checkContentId('logo@example.com')).toEqual({ ok: true });
    for (const bad of ['', 'a b', '<a>', 'a\r\n', 'ü', 'x'.repeat(201)]) {
      expect(checkContentId(bad)).toMatchObject({ ok: false, code: 'content_id_invalid' });
    }
  });
});
