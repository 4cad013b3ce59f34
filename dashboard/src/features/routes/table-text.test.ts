import { describe, expect, it } from 'vitest';
import { matchOf, matchWords, parseSteps, stepsText } from './table-text.ts';

describe('the route table as it is typed', () => {
  it('has a line for each step, with weights where there is a choice', () => {
    const steps = [
      {
        choices: [
          { transport: 'pool', weight: 3 },
          { transport: 'acme', weight: 1 },
        ],
      },
      { choices: [{ transport: 'default', weight: 1 }] },
    ];
    expect(stepsText(steps)).toBe('pool 3, acme 1\ndefault');
    expect(parseSteps('pool 3, acme 1\ndefault')).toEqual({
      ok: true,
      value: [
        {
          choices: [
            { transport: 'pool', weight: 3 },
            { transport: 'acme', weight: 1 },
          ],
        },
        { choices: [{ transport: 'default' }] },
      ],
    });
    expect(parseSteps('pool three four')).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^Line 1:/),
    });
  });

  it('takes lists with commas or spaces, and leaves out what is not given', () => {
    const none = { recipient_domains: '', sender_domains: '', streams: '', tags: ' ', organizations: '' };
    expect(matchOf({ providers: 'google, microsoft  yahoo', ...none })).toEqual({
      providers: ['google', 'microsoft', 'yahoo'],
    });
  });

  it('tells in words which mail a rule is for', () => {
    expect(matchWords({ providers: ['google', 'yahoo'], tags: ['kind:receipt'] })).toBe(
      'provider google or yahoo, tag kind:receipt',
    );
    expect(matchWords({})).toBe('all mail');
  });
});
