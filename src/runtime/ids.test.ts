import { beforeEach, describe, expect, it } from 'vitest';
import { isUuid, newId, resetUuids, uuidv7, uuidv7Floor, uuidv7Ms } from './ids.ts';

describe('uuidv7', () => {
  // Other test files in this process may have used later times.
  beforeEach(resetUuids);

  it('keeps increasing within one millisecond, past the end of its sequence', () => {
    const ids = Array.from({ length: 10_000 }, () => uuidv7(1_800_000_000_000));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps increasing when the clock goes back', () => {
    const later = uuidv7(1_900_000_000_000);
    expect(uuidv7(1_850_000_000_000) > later).toBe(true);
  });

  it('contains its time, version and variant', () => {
    const id = uuidv7(2_000_000_000_000);
    expect(uuidv7Ms(id)).toBe(2_000_000_000_000);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
  });

  it('has a floor below every id of that millisecond and above those before', () => {
    const id = uuidv7(2_100_000_000_000);
    expect(uuidv7Floor(2_100_000_000_000) < id).toBe(true);
    expect(uuidv7Floor(2_100_000_000_001) > id).toBe(true);
  });
});

describe('newId', () => {
  it('consists of the prefix and unambiguous characters', () => {
    expect(newId('dom')).toMatch(/^dom_[0-9a-hjkmnp-tv-z]{20}$/);
    expect(newId('org')).toMatch(/^org_[0-9a-hjkmnp-tv-z]{13}$/);
  });
});
