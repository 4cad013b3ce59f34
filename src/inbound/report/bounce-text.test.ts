import { describe, expect, it } from 'vitest';
import { explainBounce } from './bounce-text.ts';
import { readReport } from './read-report.ts';

const kindOf = (headers: string, body: string) => readReport(Buffer.from(`${headers}\n\n${body}\n`)).kind;
const DAEMON = 'From: MAILER-DAEMON@example.net';
const PERSON = 'From: nobody@example.net';

describe('explain', () => {
  it.each([
    [
      'x\n  host said: 550 5.1.1 <a@example.net>:\n  No such user\n\nbye',
      550,
      '5.1.1',
      '550 5.1.1 <a@example.net>: No such user',
    ],
    ['550-5.1.1 no\n550-5.1.1 such\n550 ok', 550, '5.1.1', '550 5.1.1 no such'],
    ['    (reason: 552 mailbox full)', 552, null, '552 mailbox full'],
    ['<mx #5.1.1 smtp;550 5.1.1 no>', 550, '5.1.1', '550 5.1.1 no'],
    [
      'a\nSorry, no mailbox here by that name. (#5.1.1)',
      null,
      '5.1.1',
      'Sorry, no mailbox here by that name. (#5.1.1)',
    ],
    ['Der Empfänger existiert nicht', null, '5.1.1', 'Der Empfänger existiert nicht'],
    ['Unrouteable address', null, null, 'Unrouteable address'],
  ])('finds the reason in %j', (text, smtpCode, status, words) => {
    expect(explainBounce(text)).toEqual({ smtpCode, status, text: words });
  });

  it.each(['', 'Nothing in particular.', 'We sold 550 of them in 5.1.1.1', 'Call 555-1234'])(
    'finds none in %j',
    (text) => {
      expect(explainBounce(text)).toBeNull();
    },
  );
});

describe('bounces in free text', () => {
  it('believes a mailer daemon that reports a failure', () => {
    expect(kindOf(DAEMON, 'Your message could not be delivered.')).toBe('nonstandard_bounce');
    expect(kindOf(DAEMON, 'User unknown')).toBe('nonstandard_bounce');
  });

  it('believes an unknown sender only if subject and text agree and there is no sign of an automatic reply', () => {
    const failed = 'Your message could not be delivered.';
    expect(kindOf(`${PERSON}\nSubject: Undeliverable: Hello`, failed)).toBe('nonstandard_bounce');
    expect(kindOf(`${PERSON}\nSubject: Hello`, failed)).toBe('unreadable');
    expect(kindOf(`${PERSON}\nSubject: Undeliverable: Hello`, 'See you.')).toBe('unreadable');
    expect(kindOf(`${PERSON}\nSubject: Re: Delivery failed`, failed)).toBe('unreadable');
    expect(kindOf(`${PERSON}\nSubject: Delivery failed\nAuto-Submitted: auto-replied`, failed)).toBe(
      'auto_reply',
    );
  });

  it('does not read the copy of the sent message', () => {
    const copy = '----- Original message -----\nUser unknown could not be delivered 550 5.1.1';
    expect(kindOf(`${DAEMON}\nSubject: Hello`, `Something about your mail.\n${copy}`)).toBe('unreadable');
  });

  it('keeps an unclear bounce for the operator', () => {
    expect(kindOf(`${DAEMON}\nAuto-Submitted: auto-replied`, 'Hm.')).toBe('unreadable');
  });
});

describe('automatic answers', () => {
  it.each([
    'Auto-Submitted: auto-replied (vacation)',
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: OOF',
    'X-Autoreply: yes',
    'Precedence: bulk',
    'Precedence: auto_reply',
    'Preference: auto_reply',
    'X-POST-MessageClass: 9; Autoresponder',
    'Subject: Out of Office: Hello',
    'Subject: Auto: Hello',
    'Subject: =?utf-8?Q?Automatische_Antwort?=',
    'Subject: 自动回复: 订单',
  ])('are recognised by %j', (header) => {
    expect(kindOf(`${PERSON}\n${header}`, 'I am away.')).toBe('auto_reply');
  });

  it.each([
    'Auto-Submitted: no',
    'Precedence: first-class',
    'Subject: Automobile',
    'Subject: About the office',
  ])('are not recognised by %j', (header) => {
    expect(kindOf(`${PERSON}\n${header}`, 'Hello.')).toBe('unreadable');
  });
});
