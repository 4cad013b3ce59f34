import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { messageTls, tlsRequiredIn } from './message-tls.ts';

const spaces = fc.stringMatching(/^[ \t]{0,3}$/);
const no = fc.tuple(spaces, fc.constantFrom('No', 'no', 'NO', 'nO'), spaces).map((parts) => parts.join(''));

it('reads No in any case, once or repeated, as permission to send without TLS', () => {
  fc.assert(
    fc.property(fc.array(no, { minLength: 1, maxLength: 3 }), (fields) => {
      expect(messageTls(false, fields)).toBe('optional');
    }),
    runs(100),
  );
});

it('never permits sending without TLS for a value other than No', () => {
  const other = fc.string().filter((text) => text.trim().toLowerCase() !== 'no');
  fc.assert(
    fc.property(fc.array(no, { maxLength: 2 }), other, (fields, value) => {
      expect(messageTls(false, [...fields, value])).toBeNull();
    }),
    runs(300),
  );
});

it('requires TLS if the option requires it, whatever the fields say', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(no, fc.string()), { maxLength: 3 }), (fields) => {
      expect(messageTls(true, fields)).toBe('required');
    }),
    runs(100),
  );
});

it('finds the field among others, in any case', () => {
  expect(tlsRequiredIn({ 'X-A': 'No', 'tls-REQUIRED': 'No' })).toEqual(['No']);
  expect(tlsRequiredIn({ 'X-TLS-Required': 'No' })).toEqual([]);
  expect(tlsRequiredIn(undefined)).toEqual([]);
});
