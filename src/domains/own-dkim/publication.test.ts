import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../runtime/durations.ts';
import { isSigning, type Publication, publicationAfter, signedAt } from './publication.ts';

const NEVER: Publication = { switches: [], missing_since: null };
const SIGNING = publicationAfter(NEVER, 'pass', 0);

describe('signing by our own domain', () => {
  it('starts only when the record is found', () => {
    for (const found of ['fail', 'unknown'] as const)
      expect(publicationAfter(NEVER, found, 0)).toEqual(NEVER);
    expect(isSigning(NEVER)).toBe(false);
  });

  it('starts a minute after the record was found, so that every signer has read the change', () => {
    expect(isSigning(SIGNING)).toBe(true);
    expect(signedAt(SIGNING.switches, MINUTE_MS - 1)).toBe(false);
    expect(signedAt(SIGNING.switches, MINUTE_MS)).toBe(true);
    expect(publicationAfter(SIGNING, 'pass', HOUR_MS)).toEqual(SIGNING);
  });

  it('continues while DNS does not answer, and while the record is gone for less than a day', () => {
    expect(publicationAfter(SIGNING, 'unknown', HOUR_MS)).toEqual(SIGNING);
    const missing = publicationAfter(SIGNING, 'fail', HOUR_MS);
    expect(missing).toEqual({ switches: SIGNING.switches, missing_since: new Date(HOUR_MS) });
    expect(publicationAfter(missing, 'fail', 25 * HOUR_MS - 1)).toEqual(missing);
    expect(publicationAfter(missing, 'unknown', 90 * HOUR_MS)).toEqual(missing);
    expect(publicationAfter(missing, 'pass', 26 * HOUR_MS)).toEqual(SIGNING);
  });

  it('ends after a day without the record, except for mail attempted before', () => {
    const missing = publicationAfter(SIGNING, 'fail', HOUR_MS);
    const ended = publicationAfter(missing, 'fail', 25 * HOUR_MS);
    expect(isSigning(ended)).toBe(false);
    expect(signedAt(ended.switches, 25 * HOUR_MS)).toBe(true);
    expect(signedAt(ended.switches, 26 * HOUR_MS)).toBe(false);
    const again = publicationAfter(ended, 'pass', 30 * HOUR_MS);
    const moments = [HOUR_MS, 26 * HOUR_MS, 31 * HOUR_MS];
    expect(moments.map((ms) => signedAt(again.switches, ms))).toEqual([true, false, true]);
  });

  it('keeps its switching times for longer than a delivery lives, and not forever', () => {
    let now = SIGNING;
    let ms = HOUR_MS;
    for (let day = 0; day < 40; day += 1) {
      now = publicationAfter(publicationAfter(now, 'fail', ms), 'fail', ms + 24 * HOUR_MS);
      now = publicationAfter(now, 'pass', ms + 25 * HOUR_MS);
      ms += 26 * HOUR_MS;
    }
    expect(now.switches.length).toBeLessThanOrEqual(16);
    expect(isSigning(now)).toBe(true);
    const aWeekAgo = ms - 7 * 24 * HOUR_MS;
    expect((now.switches[0] as Date).getTime()).toBeLessThan(aWeekAgo);
  });
});
