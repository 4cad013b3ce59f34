/** The filters that the list and the stream of events share. */
import { Type } from 'typebox';
import { addressField } from '../http/address-field.ts';
import { stringEnum } from '../http/schema.ts';
import { EVENT_TYPES } from './append.ts';

export const typeField = Type.Optional(stringEnum(EVENT_TYPES, { description: 'Only events of this type.' }));

export const recipientField = Type.Optional(
  addressField({ maxLength: 320, description: 'Only events of mail to this address.' }),
);
