/** Whether an organization wants to know when its mail is opened. */
import { Type } from 'typebox';
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { strictObject } from '../../kit/schema.ts';
import { ColumnSetting, columnOf } from './column.ts';
import { defineSetting } from './setting.ts';

const TRACK_OPENS = columnOf('track_opens', false);

export class OpenTracking {
  readonly #column: ColumnSetting<boolean>;

  constructor(db: Sql, clock: Clock) {
    this.#column = new ColumnSetting(TRACK_OPENS, { db, clock });
  }

  isOn(organizationId: string): Promise<boolean> {
    return this.#column.of(organizationId);
  }

  set(organizationId: string, on: boolean): Promise<void> {
    return this.#column.set(organizationId, on);
  }
}

const trackOpens = Type.Boolean({
  description:
    'Whether html mail gets a pixel that tells when it is opened, unless a request says otherwise.',
});

const shown = Type.Object(
  {
    track_opens: trackOpens,
    problem: Type.Optional(
      Type.String({
        description:
          'Only if mail goes out without pixels and unsubscribe links anyway: why, and what to do.',
      }),
    ),
  },
  { $id: 'Tracking' },
);

export const setTrackingBody = strictObject(
  { track_opens: trackOpens },
  { $id: 'SetTracking', examples: [{ track_opens: true }] },
);

/** `problem`: why mail is not tracked, whatever is asked for; see kit/runtime/public-url.ts. */
export function trackingSetting(tracking: OpenTracking, problem: string | null) {
  const off = problem === null ? {} : { problem };
  return defineSetting({
    name: 'tracking',
    toRead: 'Get the tracking setting',
    toChange: 'Change the tracking setting',
    description: 'Mail that was already accepted stays as it is.',
    shown,
    taken: setTrackingBody,
    audit: { action: 'settings.tracking_changed', show: ['track_opens'] },
    read: async (organizationId) => ({ track_opens: await tracking.isOn(organizationId), ...off }),
    change: async (organizationId, { track_opens }) => {
      await tracking.set(organizationId, track_opens);
      return { track_opens, ...off };
    },
  });
}
