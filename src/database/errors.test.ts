import { describe, expect, it } from 'vitest';
import { isMissingPartition, isUnavailable, isUniqueViolation } from './errors.ts';

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
    'EADDRNOTAVAIL', // no free local port
    'EAI_AGAIN', // the name lookup failed, because DNS does not answer
    'EAI_FAIL',
    'ENOTFOUND',
  ])('is a temporary outage, and not the caller’s fault (%s)', (code) => {
    expect(isUnavailable(failed(code))).toBe(true);
  });

  it('differs from an invalid statement, and from a program error', () => {
    expect(isUnavailable(failed('42P01'))).toBe(false);
    expect(isUnavailable(failed('ERR_INVALID_ARG_TYPE'))).toBe(false);
  });
});

describe('an error that Citus reports only in its message', () => {
  const errorWith = (code: string, message: string) => Object.assign(new Error(message), { code });

  it('names the violated constraint of a shard', () => {
    const twice = errorWith(
      '23505',
      'duplicate key value violates unique constraint "templates_alias_102141"',
    );
    expect(isUniqueViolation(twice, 'templates_alias')).toBe(true);
    expect(isUniqueViolation(twice, 'templates')).toBe(false);
    const check = errorWith(
      '23514',
      'new row for relation "a_102141" violates check constraint "a_check_102141"',
    );
    expect(isMissingPartition(check)).toBe(false);
  });

  it('reports a missing partition as an internal error', () => {
    expect(
      isMissingPartition(errorWith('XX000', 'no partition of relation "events_102081" found for row')),
    ).toBe(true);
    expect(isMissingPartition(errorWith('XX000', 'something else'))).toBe(false);
  });
});
