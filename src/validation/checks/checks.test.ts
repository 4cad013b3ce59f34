import { describe, expect, it } from 'vitest';
import { type Address, parseAddress } from '../../protocols/message/address.ts';
import { loadLists, placeOf } from '../lists.ts';
import { checkDisposable } from './disposable.ts';
import { checkRandom } from './random.ts';
import { checkRole } from './role.ts';
import { checkSyntax } from './syntax.ts';

const lists = loadLists();
const NO_LISTS = { allow: new Set<string>(), deny: new Set<string>() };

function parsed(email: string): Address {
  const address = parseAddress(email);
  if (!address.ok) throw new Error(`${email}: ${address.message}`);
  return address;
}

describe('the syntax check', () => {
  it.each([
    ['jane@localhost', 'domain_single_label'],
    ['jane..doe@corp.com', 'local_dots'],
    ['jane@corp.com (work)', 'comment_or_folding'],
    ['ja\u200bne@corp.com', 'invisible_character'],
    ['"a\nb"@corp.com', 'control_character'],
  ])('fails %j with %s', (email, reason) => {
    expect(checkSyntax(parseAddress(email), lists)).toMatchObject({ status: 'fail', reason });
  });

  it('warns of characters that resemble others', () => {
    expect(checkSyntax(parseAddress('jane@gmail。com'), lists)).toMatchObject({
      status: 'warn',
      reason: 'domain_mapped',
    });
  });
});

describe('the disposable check', () => {
  const check = (domain: string) => checkDisposable(placeOf(domain), lists, NO_LISTS);

  it('matches the domain and its subdomains', () => {
    for (const domain of ['mailinator.com', 'abc.mailinator.com', 'a.b.c.mailinator.com']) {
      expect(check(domain)).toMatchObject({ status: 'fail', reason: 'disposable' });
    }
  });

  it('does not match a domain that only ends with a listed one', () => {
    expect(check('postmailinator.com').status).toBe('pass');
  });

  it('warns of relay addresses, which belong to real people', () => {
    expect(check('duck.com')).toMatchObject({ status: 'warn', reason: 'relay' });
  });
});

describe('the role check', () => {
  const status = (local: string) => checkRole(parsed(`${local}@corp.com`), lists).status;

  it.each(['info', 'Sales', 'customer.service', 'support+eu', 'h.r', 'vertrieb', 'abuse', 'postmaster'])(
    'warns of %s',
    (local) => {
      expect(status(local)).toBe('warn');
    },
  );

  it.each(['noreply', 'no-reply', 'do_not_reply', 'mailer-daemon', 'bounces+4711', 'orders-noreply'])(
    'fails %s, which nobody reads',
    (local) => {
      expect(status(local)).toBe('fail');
    },
  );

  it.each(['jane', 'alexa', 'sydney', 'student', 'la', 'infante', 'bouncer', 'per'])('passes %s', (local) => {
    expect(status(local)).toBe('pass');
  });
});

describe('the random check', () => {
  const check = (local: string) => checkRandom(parsed(`${local}@corp.com`), lists.random);

  it.each([
    'john.smith',
    'wojciech.brzeczyszczykiewicz',
    'nguyenthithanhhuong',
    'anna.mueller1985',
    'bookworm',
  ])('passes %s', (local) => {
    expect(check(local)).toMatchObject({ status: 'pass', entropy_bits_per_char: expect.any(Number) });
  });

  it.each(['x7k2q9z4w1', 'qzxwvkjh', 'a8f3e09b7c21d4e6', 'xkcdqwzzpt', '3f9a1c7b2e8d'])(
    'fails %s',
    (local) => {
      expect(check(local).status).toBe('fail');
    },
  );

  it.each(['xq', 'jane', '0123456789', 'вася.пупкин', '山田太郎次郎三郎', '"x7k2 q9z4w1"'])(
    'cannot tell about %s',
    (local) => {
      expect(check(local)).toMatchObject({ status: 'unknown', entropy_bits_per_char: null });
    },
  );

  it('ignores the tag and trailing digits', () => {
    expect(check('john.smith+x7k2q9z4w1').entropy_bits_per_char).toBe(
      check('john.smith').entropy_bits_per_char,
    );
    expect(check('john.smith19850312').entropy_bits_per_char).toBe(check('john.smith').entropy_bits_per_char);
  });
});
