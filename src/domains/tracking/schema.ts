import { Type } from 'typebox';
import { CLICK_TRACKING, type ClickTracking } from '../../emails/email.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { DNS_CHECK_STATUSES } from '../verify.ts';

const OR_ORGANIZATION = 'Null: as the organization has set it.';

export const setDomainTrackingBody = strictObject(
  {
    track_opens: Type.Optional(
      nullable(Type.Boolean({ description: `Of mail from this domain. ${OR_ORGANIZATION}` })),
    ),
    track_clicks: Type.Optional(
      Type.Unsafe<boolean | ClickTracking | null>({
        enum: [true, false, ...CLICK_TRACKING, null],
        description: `Which links of mail from this domain are tracked. ${OR_ORGANIZATION}`,
      }),
    ),
    host: Type.Optional(
      nullable(
        Type.String({
          maxLength: 253,
          description:
            'A name below the domain, such as `links.example.org`, for the links and pixels of its mail. Null: the address of the installation.',
          examples: ['links.example.org'],
        }),
      ),
    ),
  },
  { $id: 'SetDomainTracking', examples: [{ track_opens: false, track_clicks: 'html' }] },
);

export const domainTrackingSchema = Type.Object(
  {
    track_opens: nullable(Type.Boolean({ description: OR_ORGANIZATION })),
    track_clicks: nullable(stringEnum(CLICK_TRACKING, { description: OR_ORGANIZATION })),
    host: nullable(
      Type.Object(
        {
          name: Type.String(),
          in_use: Type.Boolean({ description: 'Links and pixels of mail from the domain are on it now.' }),
          status: stringEnum(DNS_CHECK_STATUSES, {
            description: 'Of the last check of its record and of its certificate.',
          }),
          type: Type.String({ examples: ['CNAME'] }),
          expected: Type.String({ description: 'The value to publish.' }),
          found: Type.Array(Type.String(), { description: 'What is there now.' }),
          message: Type.String({ description: 'What to change.' }),
          checked_at: nullable(timestamp()),
        },
        { $id: 'TrackingHost' },
      ),
    ),
  },
  { $id: 'DomainTracking' },
);
