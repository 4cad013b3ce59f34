/** What an organization has settled for all of its mail: how strictly recipients are validated, whether opens are tracked. */
import { Type } from 'typebox';
import type { Sql } from '../../kit/database/sql.ts';
import type { ApiRoutes } from '../../kit/http/api-routes.ts';
import { dataOf } from '../../kit/http/envelope.ts';
import { strictObject, stringEnum } from '../../kit/http/schema.ts';
import { setAutoValidation, setTrackOpens } from '../store.ts';
import { type AutoValidation, THRESHOLDS } from './auto-validation.ts';
import type { OpenTracking } from './open-tracking.ts';

const tags = ['Settings'];
const threshold = stringEnum(THRESHOLDS, {
  description: '`off`: no validation. `high`: recipients above 0.7 are refused. `medium`: those above 0.3.',
});
const setting = Type.Object({ auto_validation_threshold: threshold }, { $id: 'AutoValidation' });
const body = strictObject({ threshold }, { $id: 'SetAutoValidation' });

const trackOpens = Type.Boolean({
  description:
    'Whether html mail gets a pixel that tells when it is opened, unless a request says otherwise.',
});
const tracking = Type.Object(
  {
    track_opens: trackOpens,
    problem: Type.Optional(
      Type.String({
        description:
          'Only where mail goes out without pixels and unsubscribe links all the same: why, and what to do.',
      }),
    ),
  },
  { $id: 'Tracking' },
);
const trackingBody = strictObject(
  { track_opens: trackOpens },
  { $id: 'SetTracking', examples: [{ track_opens: true }] },
);

interface SettingsDeps {
  readonly db: Sql;
  readonly autoValidation: AutoValidation;
  readonly openTracking: OpenTracking;
  /** Why mail is not tracked, whatever is asked for; see kit/runtime/public-url.ts. */
  readonly trackingProblem: string | null;
}

type App = Parameters<ApiRoutes>[0];

export function settingsRoutes(deps: SettingsDeps): ApiRoutes {
  return async (app) => {
    routeAutoValidation(app, deps);
    routeTracking(app, deps);
  };
}

function routeAutoValidation(app: App, { db, autoValidation }: SettingsDeps): void {
  app.get(
    '/settings/auto-validation',
    { schema: { tags, summary: 'Get the auto-validation setting', response: { 200: dataOf(setting) } } },
    async ({ principal }) => ({
      data: { auto_validation_threshold: await autoValidation.thresholdOf(principal.organizationId) },
    }),
  );

  app.put(
    '/settings/auto-validation',
    {
      config: { audit: { action: 'settings.auto_validation_changed', show: ['threshold'] } },
      schema: {
        tags,
        summary: 'Change the auto-validation setting',
        body,
        response: { 200: dataOf(setting) },
      },
    },
    async ({ principal, body: { threshold: wanted } }) => {
      await setAutoValidation(db, principal.organizationId, wanted);
      autoValidation.forget(principal.organizationId);
      return { data: { auto_validation_threshold: wanted } };
    },
  );
}

function routeTracking(app: App, { db, openTracking, trackingProblem: problem }: SettingsDeps): void {
  const off = problem === null ? {} : { problem };
  app.get(
    '/settings/tracking',
    { schema: { tags, summary: 'Get the tracking setting', response: { 200: dataOf(tracking) } } },
    async ({ principal }) => ({
      data: { track_opens: await openTracking.isOn(principal.organizationId), ...off },
    }),
  );

  app.put(
    '/settings/tracking',
    {
      config: { audit: { action: 'settings.tracking_changed', show: ['track_opens'] } },
      schema: {
        tags,
        summary: 'Change the tracking setting',
        description: 'Mail that is accepted already stays as it is.',
        body: trackingBody,
        response: { 200: dataOf(tracking) },
      },
    },
    async ({ principal, body: { track_opens: wanted } }) => {
      await setTrackOpens(db, principal.organizationId, wanted);
      openTracking.forget(principal.organizationId);
      return { data: { track_opens: wanted, ...off } };
    },
  );
}
