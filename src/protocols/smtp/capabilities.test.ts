import { describe, expect, it } from 'vitest';
import { parseCapabilities } from './capabilities.ts';

describe('parseCapabilities', () => {
  it('reads every keyword it knows, in any case, and ignores the greeting', () => {
    const lines = [
      'SIZE is my name',
      'pipelining',
      'Size 1000',
      'STARTTLS',
      'RequireTLS',
      '8BITMIME',
      'SMTPUTF8',
      'X-ODD thing',
    ];
    expect(parseCapabilities([...lines, 'ENHANCEDSTATUSCODES', 'AUTH plain LOGIN'])).toEqual({
      pipelining: true,
      startTls: true,
      requireTls: true,
      eightBitMime: true,
      smtpUtf8: true,
      size: true,
      maxSize: 1000,
      auth: new Set(['PLAIN', 'LOGIN']),
    });
  });

  it.each(['SIZE', 'SIZE 0', 'SIZE x', 'SIZE -5'])('reads %j as no limit', (line) => {
    expect(parseCapabilities(['hello', line])).toMatchObject({ size: true, maxSize: null });
  });

  it('understands the old AUTH= form', () => {
    expect(parseCapabilities(['hello', 'AUTH=LOGIN']).auth).toEqual(new Set(['LOGIN']));
  });
});
