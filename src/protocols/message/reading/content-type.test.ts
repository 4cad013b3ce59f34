import { describe, expect, it } from 'vitest';
import { readContentType } from './content-type.ts';

const read = (value: string) => {
  const { type, parameters } = readContentType(value);
  return [type, Object.fromEntries(parameters)];
};

describe('readContentType', () => {
  it('reads type and parameters in any case', () => {
    expect(read('Multipart/REPORT; Report-Type=delivery-status; BOUNDARY=aB1')).toEqual([
      'multipart/report',
      { 'report-type': 'delivery-status', boundary: 'aB1' },
    ]);
  });

  it('reads quoted values with their semicolons, equal signs and escapes', () => {
    expect(read('multipart/mixed; boundary="a;b=\\"c" ; charset = utf-8')).toEqual([
      'multipart/mixed',
      { boundary: 'a;b="c', charset: 'utf-8' },
    ]);
  });

  it.each(['', 'text', ';', 'text/', '/plain', 'text plain/x'])('takes %j for plain text', (value) => {
    expect(read(value)).toEqual(['text/plain', {}]);
  });

  it('survives a quote that never closes', () => {
    expect(read('multipart/mixed; boundary="abc')).toEqual(['multipart/mixed', { boundary: 'abc' }]);
  });
});
