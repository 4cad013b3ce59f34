import { Type } from 'typebox';
import { CLICK_TRACKING, type ClickTracking } from '../../emails/email.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { DNS_CHECK_STATUSES } from '../verify.ts';

const OR_ORGANIZATION = 'Null means the setting of the organization.';

export const setDomainTrackingBody = strictObject(
  {
    track_opens: Type.Optional(
      nullable(
        Type.Boolean({
          description: `Whether mail from this domain gets a pixel that records opens. ${OR_ORGANIZATION}`,
        }),
      ),
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
            'Host name for the tracked links and pixels of the domain’s mail. It must be below the domain, such as `links.example.org`. Null means the address of the installation.',
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
          in_use: Type.Boolean({
            description:
              'Whether the host is in use now for the tracked links and pixels of mail from the domain.',
          }),
          status: stringEnum(DNS_CHECK_STATUSES, {
            description: 'Result of the last check of the host’s DNS record and certificate.',
          }),
          type: Type.String({ examples: ['CNAME'] }),
          expected: Type.String({ description: 'Value to publish in DNS.' }),
          found: Type.Array(Type.String(), {
            description: 'Values that DNS has now for this name and type.',
          }),
          message: Type.String({ description: 'Result of the check in words, with the necessary change.' }),
          checked_at: nullable(timestamp()),
        },
        { $id: 'TrackingHost' },
      ),
    ),
  },
  { $id: 'DomainTracking' },
);
