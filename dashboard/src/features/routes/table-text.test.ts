import { describe, expect, it } from 'vitest';
import { canaryText, matchOf, matchWords, parseCanary, parseSteps, stepsText } from './table-text.ts';

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

  it('has a line for a canary, which is read as it was written, and keeps what is not typed', () => {
    const plan = { percents: [1, 5, 10, 25, 50, 100], minutes: 60, mails: 100 };
    const worse = { deferred: 0.1, bounced: 0.02, complained: 0.001 };
    const canary = { name: 'off-acme', to: 'pool', ...plan, worse };
    expect(canaryText(canary)).toBe('pool name=off-acme');
    expect(parseCanary('pool name=off-acme', canary)).toEqual({
      ok: true,
      value: { name: 'off-acme', to: 'pool', worse },
    });
    const other = { ...canary, percents: [0.5, 50], minutes: 5, mails: 7 };
    expect(canaryText(other)).toBe('pool name=off-acme percents=0.5,50 minutes=5 mails=7');
    expect(parseCanary(canaryText(other), null)).toEqual({
      ok: true,
      value: { name: 'off-acme', to: 'pool', percents: [0.5, 50], minutes: 5, mails: 7 },
    });
    expect(parseCanary('pool', null)).toEqual({ ok: true, value: { name: 'to-pool', to: 'pool' } });
    expect(parseCanary(' ', canary)).toEqual({ ok: true, value: null });
    expect(parseCanary('pool 5', null)).toMatchObject({ ok: false, problem: expect.stringContaining('“5”') });
  });
});
