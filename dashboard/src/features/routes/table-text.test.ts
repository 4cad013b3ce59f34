import { describe, expect, it } from 'vitest';
import {
  canaryText,
  matchOf,
  matchWords,
  parseCanary,
  parseSources,
  parseSteps,
  sourcesText,
  stepsText,
} from './table-text.ts';

const sources = [
  {
    address: '192.0.2.7',
    ehlo_name: 'out7.example.org',
    weight: 3,
    connections: 10,
    warm_up: null,
    workers: 1,
    held_up: [],
  },
  { address: '::1', ehlo_name: null, weight: 1, connections: null, warm_up: null, workers: 0, held_up: [] },
];

describe('the route table as it is typed', () => {
  it('has a line for each source, which is read as it was written', () => {
    const text = sourcesText(sources);
    expect(text).toBe('192.0.2.7 out7.example.org weight=3 connections=10\n::1');
    expect(parseSources(`\n${text}\n`)).toEqual({
      ok: true,
      value: [
        { address: '192.0.2.7', ehlo_name: 'out7.example.org', weight: 3, connections: 10 },
        { address: '::1' },
      ],
    });
  });

  it('keeps the curve of an address that is being warmed up, which is not typed', () => {
    const warm_up = { since: '2026-11-17', curve: [10, 20], curves: {}, over: 'wait' as const };
    const warming = [
      { ...sources[1], weight: 1, address: '192.0.2.9', ehlo_name: null, connections: null, warm_up },
    ].map((one) => ({ workers: 0, held_up: [], ...one }));
    const text = sourcesText(warming);
    expect(text).toBe('192.0.2.9 warm-up=2026-11-17 over=wait');
    expect(parseSources(text, warming)).toEqual({ ok: true, value: [{ address: '192.0.2.9', warm_up }] });
  });

  it('says in which line of the sources something is wrong', () => {
    expect(parseSources('192.0.2.7\n192.0.2.8 wight=3')).toEqual({
      ok: false,
      problem:
        'Line 2: “wight=3” is neither a host name, nor weight=N, connections=N, warm-up=DATE or, behind that, over=wait.',
    });
  });

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
