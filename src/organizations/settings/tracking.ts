/** Open and click tracking of an organization: the defaults, and the setting in the API. */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import { CLICK_TRACKING, type ClickTracking, clickTrackingOf } from '../../emails/email.ts';
import { clickTracking } from '../../emails/options-schema.ts';
import { strictObject, stringEnum } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ColumnSetting, columnOf } from './column.ts';
import { defineSetting } from './setting.ts';

const TRACK_OPENS = columnOf('track_opens', false);
const TRACK_CLICKS = columnOf<ClickTracking>('track_clicks', 'off');

/** The defaults of an organization, for mail that says nothing else. */
export interface TrackingDefaults {
  readonly openTracking: ColumnSetting<boolean>;
  readonly clickTracking: ColumnSetting<ClickTracking>;
}

export function createTrackingDefaults(db: Sql, clock: Clock): TrackingDefaults {
  return {
    openTracking: new ColumnSetting(TRACK_OPENS, { db, clock }),
    clickTracking: new ColumnSetting(TRACK_CLICKS, { db, clock }),
  };
}

const trackOpens = Type.Boolean({
  description:
    'Whether html mail gets a pixel that records opens, unless a domain or a request sets another value.',
});

const shown = Type.Object(
  {
    track_opens: trackOpens,
    track_clicks: stringEnum(CLICK_TRACKING, {
      description:
        'Which links are replaced by tracked links, unless a domain or a request sets another value.',
    }),
    problem: Type.Optional(
      Type.String({
        description:
          'Present only if mail is sent without pixels, tracked links and unsubscribe links: the cause and the fix.',
      }),
    ),
  },
  { $id: 'Tracking' },
);

export const setTrackingBody = strictObject(
  {
    track_opens: trackOpens,
    track_clicks: Type.Optional(
      clickTracking(
        'Which links are replaced by tracked links. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. If omitted, the setting does not change.',
      ),
    ),
  },
  { $id: 'SetTracking', examples: [{ track_opens: true, track_clicks: 'html' }] },
);

/** `problem`: the reason why mail cannot be tracked regardless of settings; see runtime/public-url.ts. */
export function trackingSetting(
  { openTracking: opens, clickTracking: clicks }: TrackingDefaults,
  problem: string | null,
) {
  const off = problem === null ? {} : { problem };
  const read = async (organizationId: string) => ({
    track_opens: await opens.of(organizationId),
    track_clicks: await clicks.of(organizationId),
    ...off,
  });
  return defineSetting({
    name: 'tracking',
    toRead: 'Get the tracking setting',
    toChange: 'Change the tracking setting',
    description: 'Mail that was already accepted does not change.',
    shown,
    taken: setTrackingBody,
    audit: { action: 'settings.tracking_changed', show: ['track_opens', 'track_clicks'] },
    read,
    change: async (organizationId, { track_opens, track_clicks }) => {
      await opens.set(organizationId, track_opens);
      const which = clickTrackingOf(track_clicks);
      if (which !== null) await clicks.set(organizationId, which);
      return read(organizationId);
    },
  });
}
