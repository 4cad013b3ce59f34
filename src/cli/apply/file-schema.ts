/** The schema of the file: the API's request bodies under their API names. */
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { createKeyBody } from '../../accounts/api-keys/schema.ts';
import { createDomainBody } from '../../domains/schema.ts';
import { setDomainTrackingBody } from '../../domains/tracking/schema.ts';
import { TRANSACTIONAL } from '../../emails/stream.ts';
import { checked, strictObject } from '../../http/schema.ts';
import { ORGANIZATION_NAME_MAX, organizationNameProblem } from '../../organizations/service.ts';
import { SETTING_BODIES } from '../../organizations/settings/list.ts';
import { routesFields } from '../../routing/schema.ts';
import { createStreamBody } from '../../streams/routes.ts';
import { aliasProblem } from '../../templates/alias.ts';
import { createTemplateBody } from '../../templates/schema.ts';
import { createWebhookBody } from '../../webhooks/endpoints/schema.ts';

const MAX_ENTRIES = 10_000;

const { alias: _, ...templateFields } = createTemplateBody.properties;

/** The file identifies templates by alias, because ids differ between installations. */
const alias = checked(Type.String(), (text, problems) => {
  const problem = aliasProblem(text);
  if (problem !== null) problems.add('', problem);
});

const file = Type.String({ minLength: 1, maxLength: 1_000, description: 'Relative to the file itself.' });

const templateEntry = checked(
  strictObject({ alias, ...templateFields, html_file: Type.Optional(file), text_file: Type.Optional(file) }),
  (given, problems) => {
    if (given.html !== undefined && given.html_file !== undefined) problems.add('html', EITHER);
    if (given.text !== undefined && given.text_file !== undefined) problems.add('text', EITHER);
  },
);

const EITHER = 'is given here and as a file; keep one of them';

const streamEntry = checked(createStreamBody, ({ name }, problems) => {
  if (name === TRANSACTIONAL)
    problems.add('name', 'is what mail has that names no stream: it cannot be changed');
});

const tracking = strictObject(setDomainTrackingBody.properties);

const many = <T extends TSchema>(entry: T) => Type.Optional(Type.Array(entry, { maxItems: MAX_ENTRIES }));

function optionalEach<Schemas extends Readonly<Record<string, TSchema>>>(schemas: Schemas) {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries) as { [Name in keyof Schemas]: TOptional<Schemas[Name]> };
}

const sections = {
  settings: Type.Optional(strictObject(optionalEach(SETTING_BODIES))),
  domains: many(strictObject({ ...createDomainBody.properties, tracking: Type.Optional(tracking) })),
  // An expired key is not an error in the file.
  keys: many(createKeyBody({ nowMs: () => 0 })),
  streams: many(streamEntry),
  webhooks: many(createWebhookBody),
  templates: many(templateEntry),
};

/** Applies to the whole installation, in either kind of file. */
const routes = Type.Optional(strictObject(routesFields));

export const organizationFile = strictObject({ ...sections, routes });
export type OrganizationFile = Static<typeof organizationFile>;

export const installationFile = strictObject({
  routes,
  organizations: Type.Optional(
    Type.Array(
      strictObject({
        name: checked(Type.String({ maxLength: 2 * ORGANIZATION_NAME_MAX }), (text, problems) => {
          const problem = organizationNameProblem(text);
          if (problem !== undefined) problems.add('', problem);
        }),
        id: Type.Optional(Type.String({ maxLength: 100 })),
        daily_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
        ...sections,
      }),
      { minItems: 1, maxItems: MAX_ENTRIES },
    ),
  ),
});
export type InstallationFile = Static<typeof installationFile>;
