import { Type } from 'typebox';
import { STREAM_NAME } from '../emails/stream.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { KINDS, SEVERITIES } from './attention-facts.ts';
import { RANGES } from './overview.ts';

export const rangeQuery = strictObject({
  range: stringEnum(RANGES, {
    default: '24h',
    description:
      'Period of the statistics. `24h` has a point for each hour; the others have a point for each UTC day.',
  }),
});

export const overviewQuery = strictObject({
  ...rangeQuery.properties,
  stream: Type.Optional(
    Type.String({
      pattern: STREAM_NAME.source,
      description: 'Only mail of this stream. Mail that names no stream is in `transactional`.',
      examples: ['bulk'],
    }),
  ),
});

const counts = {
  sent: Type.Integer({ description: 'Number of accepted emails.' }),
  queued: Type.Integer({ description: 'Number of these emails without a final status.' }),
  delivered: Type.Integer({ description: 'Number of delivered emails, including those that were opened.' }),
  bounced: Type.Integer(),
  failed: Type.Integer(),
  opened: Type.Integer(),
  complained: Type.Integer({ description: 'Number of emails that a recipient reported as spam.' }),
  clicked: Type.Integer({
    description: 'Number of recipients who followed a link. Machines are not counted.',
  }),
};

export const rate = (description: string) => nullable(Type.Number({ description }));
const OF_DECIDED = 'Share of the emails with a final status, from 0 to 1. Null if there are none.';
const OF_DELIVERED = 'Share of the delivered emails, from 0 to 1. Null if there are none.';

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
      clicked: rate(
        'Number of recipients who followed a link, divided by the number of delivered emails. Null if no email was delivered.',
      ),
    }),
    series: Type.Array(
      Type.Object({ at: timestamp({ description: 'Start of the hour or day.' }), ...counts }),
    ),
  },
  { $id: 'Overview' },
);

export const attentionSchema = Type.Object(
  {
    queue: Type.Object({
      queued_emails: Type.Integer({
        description: 'Number of emails without a final status, including scheduled ones.',
      }),
      due: Type.Integer({ description: 'Number of deliveries that are due now. Counted up to 10,000.' }),
      due_capped: Type.Boolean({
        description: 'Whether `due` reached its maximum of 10,000, so that more deliveries may be due.',
      }),
      oldest_due_at: nullable(timestamp()),
      oldest_due_seconds: nullable(
        Type.Integer({
          description:
            'Number of seconds for which the oldest due delivery has been due. Null if none is due.',
        }),
      ),
    }),
    items: Type.Array(
      Type.Object({
        kind: stringEnum(KINDS),
        severity: stringEnum(SEVERITIES),
        id: nullable(
          Type.String({
            description:
              'Id of the domain, webhook or site that the warning is about, or the error code of refused requests. Null for other warnings.',
          }),
        ),
        name: nullable(Type.String()),
        message: Type.String({ description: 'Explanation of the warning in words.' }),
      }),
      { description: 'Warnings, most severe first.' },
    ),
  },
  { $id: 'Attention' },
);
