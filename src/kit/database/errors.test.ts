import { describe, expect, it } from 'vitest';
import { isUnavailable } from './errors.ts';

const failed = (code: string) => Object.assign(new Error('connect failed'), { code });

describe('a database that cannot be reached', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL', // no port left on this side
    'EAI_AGAIN', // its name cannot be looked up, because DNS does not answer
    'EAI_FAIL',
    'ENOTFOUND',
  ])('is away for now, and not somebody’s fault (%s)', (code) => {
    expect(isUnavailable(failed(code))).toBe(true);
  });

  it('is another thing than a statement that is wrong, or a program that is', () => {
    expect(isUnavailable(failed('42P01'))).toBe(false);
    expect(isUnavailable(failed('ERR_INVALID_ARG_TYPE'))).toBe(false);
  });
});
