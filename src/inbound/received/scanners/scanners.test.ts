import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clamdPlace, readFinding } from './clamd.ts';
import { readVerdict } from './rspamd.ts';

describe('the answer of rspamd', () => {
  it('is spam if rspamd would refuse or mark the mail', () => {
    const symbols = { A_LITTLE: { score: 0.1 }, 'not a name': {}, MUCH: { score: -7 }, NOTHING: null };
    expect(readVerdict({ action: 'add header', score: 6.1234, symbols })).toEqual({
      result: 'found',
      score: 6.12,
      symbols: ['MUCH', 'A_LITTLE', 'NOTHING'],
    });
    for (const action of ['no action', 'greylist', 'soft reject'])
      expect(readVerdict({ action, score: 1 }).result).toBe('clean');
  });

  it('is no verdict if it cannot be parsed', () => {
    const other = fc.jsonValue().filter((value) => value !== null && typeof value === 'object');
    fc.assert(
      fc.property(other, (value) => {
        expect(() => readVerdict(value)).toThrow('no verdict');
      }),
    );
    expect(() => readVerdict(null)).toThrow();
  });
});

describe('the answer of clamd', () => {
  it('names the virus found', () => {
    expect(readFinding('stream: OK\0')).toEqual({ result: 'clean', name: null });
    expect(readFinding('stream: Win.Test.EICAR_HDB-1 FOUND\0')).toEqual({
      result: 'found',
      name: 'Win.Test.EICAR_HDB-1',
    });
  });

  it('is never clean if it cannot be parsed', () => {
    expect(() => readFinding('INSTREAM size limit exceeded. ERROR\0')).toThrow('size limit');
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text.replace(/[\0\r\n]+$/, '') !== 'stream: OK');
        try {
          expect(readFinding(text).result).toBe('found');
        } catch (error) {
          expect(String(error)).toContain('clamd answered');
        }
      }),
    );
  });

  it.each([
    ['tcp://127.0.0.1:3310', { host: '127.0.0.1', port: 3310 }],
    ['tcp://clamd.internal', { host: 'clamd.internal', port: 3310 }],
    ['tcp://[::1]:99', { host: '::1', port: 99 }],
    ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ])('is reached at %s', (address, place) => {
    expect(clamdPlace(address)).toEqual(place);
  });
});
