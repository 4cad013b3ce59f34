/**
 * Address fields in requests. The schema reports what is wrong with an address; the handler gets the parsed
 * form.
 */
import { type TUnsafe, Type } from 'typebox';
import { type Address, parseAddress } from '../protocols/message/address.ts';
import type { Branded } from '../runtime/branded.ts';
import { checked } from './schema.ts';

/** Text that `addressField` has validated. */
type AddressText = Branded<'AddressText'>;

/** @param problemOf returns what is wrong with a well-formed address, or null. */
export function addressField(
  options: Readonly<Record<string, unknown>>,
  problemOf: (address: Address) => string | null = () => null,
): TUnsafe<AddressText> {
  return checked(Type.Unsafe<AddressText>({ type: 'string', ...options }), (text, problems) => {
    const parsed = parseAddress(text);
    const problem = parsed.ok ? problemOf(parsed) : parsed.message;
    if (problem !== null) problems.add('', problem);
  });
}

export function toAddress(text: AddressText): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error('An address in a request was not checked.');
  return parsed;
}
