/** The filters that both ways of reading events have. */
import { Type } from 'typebox';
import { checked, stringEnum } from '../kit/http/schema.ts';
import { parseAddress } from '../kit/message/address.ts';
import { EVENT_TYPES } from './append.ts';

export const typeField = Type.Optional(stringEnum(EVENT_TYPES, { description: 'Only events of this type.' }));

export const recipientField = Type.Optional(
  checked(Type.String({ maxLength: 320, description: 'Only of mail to this address.' }), (text, problems) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) problems.add('', parsed.message);
  }),
);

/** As stored, so that `jane@müller.example` finds what was sent to `jane@xn--mller-kva.example`. */
export function addressOf(text: string): string {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error('An address to look for was not checked.');
  return parsed.email;
}
