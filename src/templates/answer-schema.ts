/** Response schemas of the template routes. */
import { Type } from 'typebox';
import { anyObject, nullable, stringEnum, timestamp } from '../http/schema.ts';
import { TEMPLATE_KINDS } from './kind.ts';
import type { TemplateVariableRule } from './schema.ts';

const source = nullable(
  Type.String({
    description: 'Layout or partial that contains the place. Null for the template itself.',
    examples: ['the partial "footer"'],
  }),
);

const place = Type.Object({ part: Type.String(), line: Type.Integer(), column: Type.Integer(), source });

const detectedVariable = Type.Object(
  {
    name: Type.String({ description: 'Path of the variable, such as `user.name` or `items[].price`.' }),
    type: Type.String(),
    required: Type.Boolean({
      description:
        'Whether a send must give the variable. False if it is only used inside a conditional, or has a default.',
    }),
    places: Type.Array(place, { description: 'Places in the template that use the variable. At most 50.' }),
  },
  { $id: 'TemplateVariable' },
);

const pieces = {
  translations: Type.Array(
    Type.Object(
      { locale: Type.String(), subject: Type.String(), html: Type.String(), text: Type.String() },
      { $id: 'TemplateTranslation' },
    ),
  ),
  layout: nullable(Type.String({ description: 'Id of the layout. Null if the template has none.' })),
  inline_css: Type.Boolean(),
  partials: Type.Array(Type.Object({ name: Type.String(), id: Type.String() }), {
    description: 'Partials that the template uses.',
  }),
};

const templateFields = {
  id: Type.String(),
  name: Type.String(),
  alias: nullable(Type.String()),
  kind: stringEnum(TEMPLATE_KINDS),
  subject: Type.String(),
  html_body: Type.String(),
  text_body: Type.String(),
  ...pieces,
  variables: nullable(Type.Array(detectedVariable)),
  variable_schema: Type.Array(
    Type.Unsafe<TemplateVariableRule>({ type: 'object', additionalProperties: true }),
  ),
  version: Type.Integer({
    description:
      'Number of the current version. It rises when changed content is saved, a draft is published or an earlier version is restored.',
  }),
  is_active: Type.Boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const template = Type.Object(templateFields, { $id: 'Template' });

export const templateDraft = Type.Object(
  {
    subject: Type.String(),
    html_body: Type.String(),
    text_body: Type.String(),
    ...pieces,
    variables: templateFields.variables,
    variable_schema: templateFields.variable_schema,
    based_on: Type.Integer({ description: 'Version that was current when the draft was created.' }),
    saved_at: timestamp(),
    saved_by: nullable(Type.String()),
  },
  { $id: 'TemplateDraft' },
);

export const templateDetail = Type.Object(
  {
    ...templateFields,
    sample_data: nullable(anyObject({ description: 'Sample data for previews. Null if there is none.' })),
    usage: Type.Object({ sends_last_30_days: Type.Integer() }),
    draft: nullable(templateDraft),
    last_changed_at: timestamp({
      description:
        'When the template or its draft was last changed. Send it with a change to have the change refused if somebody else made one in between.',
    }),
    used_by: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), alias: nullable(Type.String()) }),
      { description: 'Templates that use this layout or partial. At most 100.' },
    ),
  },
  { $id: 'TemplateDetail' },
);

export const templateVersion = Type.Object(
  {
    version: Type.Integer(),
    subject: Type.String(),
    html_body: Type.String(),
    text_body: Type.String(),
    ...pieces,
    variable_schema: templateFields.variable_schema,
    created_at: timestamp(),
    created_by: nullable(
      Type.String({ description: 'User who published the version. Null if not recorded.' }),
    ),
    is_current: Type.Boolean(),
  },
  { $id: 'TemplateVersion' },
);

const warning = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    variable: nullable(Type.String()),
    part: nullable(Type.String()),
    line: nullable(Type.Integer()),
    column: nullable(Type.Integer()),
    source,
  },
  { $id: 'TemplateWarning' },
);

export const preview = Type.Object(
  {
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    variables: Type.Array(detectedVariable),
    warnings: Type.Array(warning),
  },
  { $id: 'TemplatePreview' },
);
