import { describe, expect, it } from 'vitest';
import { needsSplit, zoneFileText } from './zone-file-text.ts';

describe('a TXT value in a zone file', () => {
  it('is one string of up to 255 bytes', () => {
    expect(needsSplit('a'.repeat(255))).toBe(false);
    expect(zoneFileText('v=spf1 -all')).toBe('"v=spf1 -all"');
    expect(zoneFileText('a'.repeat(255))).toBe(`"${'a'.repeat(255)}"`);
  });

  it('is split into strings of 255 bytes that give the value again', () => {
    const value = 'k'.repeat(410);
    expect(needsSplit(value)).toBe(true);
    expect(zoneFileText(value)).toBe(`( "${'k'.repeat(255)}" "${'k'.repeat(155)}" )`);
  });

  it('counts bytes, and cuts no character in two', () => {
    expect(zoneFileText(`${'a'.repeat(254)}é`)).toBe(`( "${'a'.repeat(254)}" "é" )`);
  });

  it('has quotes and backslashes escaped', () => {
    expect(zoneFileText('say "a\\b"')).toBe('"say \\"a\\\\b\\""');
  });
});
