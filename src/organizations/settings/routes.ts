/** `/settings/<name>`: reads and changes an organization's settings. */
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { type SettingsDeps, settingsOf } from './list.ts';
import type { Setting } from './setting.ts';

export function settingsRoutes(deps: SettingsDeps): ApiRoutes {
  return async (app) => {
    for (const setting of settingsOf(deps)) routeSetting(app, setting);
  };
}

function routeSetting(app: App, setting: Setting): void {
  const { name, tag = 'Settings', toRead, toChange, description, shown, taken, audit } = setting;
  const response = { 200: dataOf(shown) };
  app.get(
    `/settings/${name}`,
    { schema: { tags: [tag], summary: toRead, response } },
    async ({ principal }) => ({ data: await setting.read(principal.organizationId) }),
  );

  const words = { summary: toChange, ...(description === undefined ? {} : { description }) };
  app.put(
    `/settings/${name}`,
    { config: { audit }, schema: { tags: [tag], ...words, body: taken, response } },
    async ({ principal, body }) => ({ data: await setting.change(principal.organizationId, body) }),
  );
}
