import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canaryForm,
  fractionOf,
  isSendable,
  percentsProblem,
  percentText,
  rateProblem,
  wantedCanary,
} from './canary-form.ts';

const usual = {
  ...{ percents: [1, 5, 10, 25, 50, 100], minutes: 60, mails: 100 },
  worse: { deferred: 0.05, bounced: 0.02, complained: 0.001 },
};

describe('a canary in a form', () => {
  it('is sent as it was read', () => {
    const worse = { deferred: 0.07, bounced: 0, complained: 0.0003 };
    const canary = { name: 'off-acme', to: 'pool', percents: [0.5, 50], minutes: 5, mails: 7, worse };
    expect(wantedCanary(canaryForm(canary, usual))).toEqual(canary);
  });

  it('begins with what is usual, is named after where it leads, and is none without that', () => {
    const form = canaryForm(null, usual);
    expect(form).toMatchObject({ percents: '1, 5, 10, 25, 50, 100', deferred: '5', complained: '0.1' });
    expect(wantedCanary(form)).toBeNull();
    expect(wantedCanary({ ...form, to: 'pool' })).toEqual({ name: 'to-pool', to: 'pool', ...usual });
  });

  it('leaves to the server what is left empty', () => {
    const form = {
      ...canaryForm(null, usual),
      to: 'pool',
      percents: '',
      minutes: '',
      mails: ' ',
      bounced: '',
    };
    expect(wantedCanary(form)).toEqual({
      ...{ name: 'to-pool', to: 'pool', worse: { deferred: 0.05, complained: 0.001 } },
    });
  });

  it('says what is no number, and is not sent then', () => {
    expect(percentsProblem('1, 5 %, 10')).toBeUndefined();
    expect(percentsProblem('1, five')).toContain('“five”');
    expect(['', '0', '0.1', '100', '-1', '100.1', 'x'].map(rateProblem).map(Boolean)).toEqual([
      ...[false, false, false, false, true, true, true],
    ]);
    const form = { ...canaryForm(null, usual), to: 'pool' };
    expect(isSendable(form)).toBe(true);
    expect(isSendable({ ...form, bounced: '200' })).toBe(false);
    expect(isSendable({ ...form, bounced: '200', to: '' })).toBe(true);
  });

  it('shows every rate as it will be read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => {
        const rate = millionths / 1_000_000;
        expect(fractionOf(percentText(rate))).toBe(rate);
      }),
    );
  });
});
