import { Type } from 'typebox';
import { STREAM_NAME } from '../emails/stream.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { KINDS, SEVERITIES } from './attention-facts.ts';
import { RANGES } from './overview.ts';

export const rangeQuery = strictObject({
  range: stringEnum(RANGES, {
    default: '24h',
    description: 'By the hour for `24h`, by the UTC day otherwise.',
  }),
});

export const overviewQuery = strictObject({
  ...rangeQuery.properties,
  stream: Type.Optional(
    Type.String({
      pattern: STREAM_NAME.source,
      description: 'Mail of this stream alone; `transactional` is all that names no other.',
      examples: ['bulk'],
    }),
  ),
});

const counts = {
  sent: Type.Integer({ description: 'Emails accepted.' }),
  queued: Type.Integer({ description: 'Of these, without a final status.' }),
  delivered: Type.Integer({ description: 'Including those that were opened.' }),
  bounced: Type.Integer(),
  failed: Type.Integer(),
  opened: Type.Integer(),
  complained: Type.Integer({ description: 'Recipients who reported it as spam.' }),
  clicked: Type.Integer({ description: 'Recipients who followed a link; machines are not counted.' }),
};

export const rate = (description: string) => nullable(Type.Number({ description }));
const OF_DECIDED = 'Share of the mail with a final status, from 0 to 1; null if there is none.';
const OF_DELIVERED = 'Share of the delivered mail, from 0 to 1; null if there is none.';

export const overviewSchema = Type.Object(
  {
    range: stringEnum(RANGES),
    interval: stringEnum(['hour', 'day']),
    from: timestamp(),
    to: timestamp(),
    totals: Type.Object(counts),
    rates: Type.Object({
      delivered: rate(OF_DECIDED),
      bounced: rate(OF_DECIDED),
      failed: rate(OF_DECIDED),
      opened: rate(OF_DELIVERED),
      complained: rate(OF_DELIVERED),
      clicked: rate('Recipients who followed a link to delivered emails; null if there are none.'),
    }),
    series: Type.Array(
      Type.Object({ at: timestamp({ description: 'The beginning of the period.' }), ...counts }),
    ),
  },
  { $id: 'Overview' },
);

export const attentionSchema = Type.Object(
  {
    queue: Type.Object({
      queued_emails: Type.Integer({ description: 'Without a final status, including scheduled ones.' }),
      due: Type.Integer({ description: 'Deliveries that could begin now; counted up to 10,000.' }),
      due_capped: Type.Boolean(),
      oldest_due_at: nullable(timestamp()),
      oldest_due_seconds: nullable(Type.Integer()),
    }),
    items: Type.Array(
      Type.Object({
        kind: stringEnum(KINDS),
        severity: stringEnum(SEVERITIES),
        id: nullable(
          Type.String({ description: 'Of the domain, webhook or site; the code of refused requests.' }),
        ),
        name: nullable(Type.String()),
        message: Type.String({ description: 'A sentence for people.' }),
      }),
      { description: 'The most severe first.' },
    ),
  },
  { $id: 'Attention' },
);
