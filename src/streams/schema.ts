/** Schemas of streams. */
import { Type } from 'typebox';
import { STREAM_NAME } from '../emails/stream.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { PRIORITIES } from '../outbox/states.ts';

const name = Type.String({
  pattern: STREAM_NAME.source,
  description: 'Lower-case letters, digits and hyphens, at most 32. It stays.',
  examples: ['product-news'],
});
const description = nullable(Type.String({ maxLength: 500, description: 'For people.' }));
const priority = stringEnum(PRIORITIES, {
  description: 'Of its mail that says no other. Within an organization, mail of a higher one goes first.',
});

const limit = (per: 'a minute' | 'an hour') =>
  nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `How many of its mails are sent in ${per} of the clock, by all workers together; what is more waits. Null: any number.`,
    }),
  );
const limits = { messages_per_minute: limit('a minute'), messages_per_hour: limit('an hour') };

const settings = {
  description: Type.Optional(description),
  priority: Type.Optional(priority),
  messages_per_minute: Type.Optional(limits.messages_per_minute),
  messages_per_hour: Type.Optional(limits.messages_per_hour),
};

export const createStreamBody = strictObject({ name, ...settings }, { $id: 'CreateStream' });

export const changeStreamBody = strictObject(settings, { $id: 'ChangeStream', minProperties: 1 });

export const streamParams = Type.Object({ name: Type.String({ examples: ['bulk'] }) });

export const streamSchema = Type.Object(
  {
    name: Type.String(),
    description: nullable(Type.String()),
    priority,
    ...limits,
    built_in: Type.Boolean({ description: 'It is there for everybody, and cannot be removed.' }),
    created_at: nullable(timestamp({ description: 'Null of one that is there by itself.' })),
  },
  { $id: 'Stream' },
);

export const deletedStream = Type.Object({ name: Type.String(), deleted: Type.Literal(true) });
