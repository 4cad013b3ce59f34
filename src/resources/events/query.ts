/** The filters that both ways of reading events have. */
import { Type } from 'typebox';
import { EVENT_TYPES } from '../../events/append.ts';
import { checked, stringEnum } from '../../http/schema.ts';
import { parseAddress } from '../../message/address.ts';

export const typeField = Type.Optional(stringEnum(EVENT_TYPES, { description: 'Only events of this type.' }));

export const recipientField = Type.Optional(
  checked(Type.String({ maxLength: 320, description: 'Only of mail to this address.' }), (text, problems) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) problems.add('', parsed.message);
  }),
);
