import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import { missingOfSender, readSenderPattern } from './sender-pattern.ts';

const address = (text: string) => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
};

describe('a sender of a policy', () => {
  it.each([
    ['support@acme.example', 'support@acme.example'],
    ['SUPPORT@Acme.Example', 'support@acme.example'],
    [' Acme Support  <Support@acme.example> ', 'Acme Support <support@acme.example>'],
    ['"Acme, \\"Inc.\\"" <a@acme.example>', 'Acme, "Inc." <a@acme.example>'],
    ['Acme <acme.example>', 'Acme <acme.example>'],
    ['<a@acme.example>', 'a@acme.example'],
    ['*.acme.example', '*.acme.example'],
  ])('reads %j as %j, and that as itself', (text, pattern) => {
    expect(readSenderPattern(text)).toEqual({ ok: true, pattern });
    expect(readSenderPattern(pattern)).toEqual({ ok: true, pattern });
  });

  it.each(['', 'x y', 'Acme <>', 'Acme <a@b@c>', 'A\u0007 <a@acme.example>', 'A <b <a@acme.example>'])(
    'refuses %j',
    (text) => expect(readSenderPattern(text).ok).toBe(false),
  );
});

describe('a sender', () => {
  const patterns = ['Acme Support <support@acme.example>', 'billing@acme.example', 'News <*.acme.example>'];

  it.each([
    ['support@acme.example', 'Acme Support', null],
    ['support@acme.example', null, null],
    ['support@acme.example', 'acme support', 'name'],
    ['billing@acme.example', null, null],
    ['billing@acme.example', 'Acme Support', 'name'],
    ['x@eu.acme.example', 'News', null],
    ['x@acme.example', null, 'address'],
  ] as const)('%s with the name %j lacks %j', (email, name, missing) => {
    expect(missingOfSender(patterns, address(email), name)).toBe(missing);
  });
});
