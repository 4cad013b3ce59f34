/** `/settings/auto-validation`: how strictly recipients are validated when an email is accepted. */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { strictObject, stringEnum } from '../../http/schema.ts';
import { setAutoValidation } from '../organizations/store.ts';
import { type AutoValidation, THRESHOLDS } from './auto-validation.ts';

const tags = ['Settings'];
const threshold = stringEnum(THRESHOLDS, {
  description: '`off`: no validation. `high`: recipients above 0.7 are refused. `medium`: those above 0.3.',
});
const setting = Type.Object({ auto_validation_threshold: threshold }, { $id: 'AutoValidation' });
const body = strictObject({ threshold }, { $id: 'SetAutoValidation' });

export function settingsRoutes({
  db,
  autoValidation,
}: {
  readonly db: Sql;
  readonly autoValidation: AutoValidation;
}): ApiRoutes {
  return async (app) => {
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
  };
}
