/** Request schemas of the template routes. */
import { type Static, type TProperties, Type } from 'typebox';
import { localeField } from '../http/fields.ts';
import { pageFields } from '../http/pagination.ts';
import { anyObject, checked, nullable, strictObject, stringEnum } from '../http/schema.ts';
import { subjectProblem } from '../protocols/message/subject.ts';
import { findUnwritable } from '../protocols/message/unsafe-text.ts';
import { canonicalLocale } from '../runtime/locale.ts';
import type { Problems } from '../runtime/problems.ts';
import { VARIABLE_TYPES } from '../template-language/variable-schema.ts';
import { aliasProblem } from './alias.ts';
import { TEMPLATE_KINDS, type TemplateKind } from './kind.ts';

const MAX_NAME_CHARS = 200;
const MAX_SUBJECT_CHARS = 998;
const MAX_VARIABLES = 200;

const name = checked(Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS }), (text, problems) => {
  const unsafe = findUnwritable(text);
  if (unsafe) problems.add('', `must not contain control characters (${unsafe.codePoint})`);
  else if (text.trim() === '') problems.add('', 'must not be blank');
});

const alias = checked(
  nullable(
    Type.String({
      description:
        'Name that can be used instead of the id, such as `receipt`. It is unique among the active templates of an organization. `null` removes it.',
      examples: ['receipt'],
    }),
  ),
  (text, problems) => {
    const problem = text === null ? null : aliasProblem(text);
    if (problem !== null) problems.add('', problem);
  },
);

const subject = checked(
  Type.String({
    minLength: 1,
    maxLength: MAX_SUBJECT_CHARS,
    description: 'Subject in one line, required for templates. It can contain variables: `Hello {{name}}`.',
  }),
  (text, problems) => {
    const problem = subjectProblem(text);
    if (problem !== null) problems.add('', problem);
  },
);
const body = (description: string) => Type.String({ description });

const kind = stringEnum(TEMPLATE_KINDS, {
  default: 'template',
  description:
    '`template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed.',
});

const layout = nullable(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Id or alias of the layout that surrounds html and text. `null` means no layout.',
  }),
);

const variable = strictObject(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    type: stringEnum(VARIABLE_TYPES),
    required: Type.Optional(
      Type.Boolean({ description: 'Whether a send must give the variable. The default is false.' }),
    ),
    default_value: Type.Optional(
      Type.Unknown({ description: 'Value for sends that do not give the variable. It must fit the type.' }),
    ),
  },
  { $id: 'TemplateVariableRule' },
);

export type TemplateVariableRule = Static<typeof variable>;

const variableSchema = Type.Array(variable, {
  maxItems: MAX_VARIABLES,
  description:
    'Rules for variables: types, defaults and required variables. They are applied when the template is sent.',
});

/** As many as one request can check. All of them together are no larger than the maximum size of one mail. */
const MAX_TRANSLATIONS = 30;
const MAX_TRANSLATED_CHARS = 1024 * 1024;

const locale = localeField('Language as a BCP 47 tag, such as `pt-BR`.');

const translation = strictObject(
  {
    locale,
    subject: Type.Optional(subject),
    html: Type.Optional(body('HTML body in this language.')),
    text: Type.Optional(body('Plain text body in this language.')),
  },
  { $id: 'TranslationOfTemplate' },
);

const translations = checked(
  Type.Array(translation, {
    maxItems: MAX_TRANSLATIONS,
    description: 'Translations, for sends with a `locale`. The list replaces all existing translations.',
  }),
  (list, problems) => {
    const locales = list.map((one) => (typeof one?.locale === 'string' ? canonicalLocale(one.locale) : null));
    for (const [at, one] of locales.entries()) {
      if (one !== null && locales.indexOf(one) < at) problems.add(`[${at}].locale`, `is there twice: ${one}`);
    }
    if (JSON.stringify(list).length > MAX_TRANSLATED_CHARS)
      problems.add(
        '',
        `must not be longer than ${MAX_TRANSLATED_CHARS.toLocaleString('en')} characters in all`,
      );
  },
);

/** The size of sample data that a user types or one send contains. */
const MAX_SAMPLE_CHARS = 100_000;

const sampleData = checked(
  nullable(
    anyObject({
      description:
        'Sample data for previews without `data`. It is not part of a version and never used in mail.',
      examples: [{ name: 'Ada' }],
    }),
  ),
  (data, problems) => {
    if (JSON.stringify(data).length > MAX_SAMPLE_CHARS)
      problems.add('', `must not be longer than ${MAX_SAMPLE_CHARS.toLocaleString('en')} characters as JSON`);
  },
);

/** Layouts and partials have no subject. */
function requireSubject(
  { kind: given = 'template', subject: text }: { kind?: TemplateKind; subject?: string },
  problems: Problems,
): void {
  if (given === 'template' && text === undefined) problems.missing('subject');
}

const inlineCss = Type.Boolean({
  description:
    'Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets.',
});

/** What a version of a template consists of. */
const versionFields = {
  subject: Type.Optional(subject),
  layout: Type.Optional(layout),
  inline_css: Type.Optional(inlineCss),
  html: Type.Optional(body('HTML body. The values of variables are escaped.')),
  text: Type.Optional(body('Plain text body.')),
  translations: Type.Optional(translations),
  variable_schema: Type.Optional(variableSchema),
};

export const createTemplateBody = checked(
  strictObject(
    {
      name,
      alias: Type.Optional(alias),
      kind: Type.Optional(kind),
      ...versionFields,
      sample_data: Type.Optional(sampleData),
    },
    {
      $id: 'CreateTemplate',
      examples: [
        {
          name: 'Receipt',
          alias: 'receipt',
          subject: 'Your order {{order}}',
          html: '<p>Thank you, {{name}}</p>',
        },
      ],
    },
  ),
  requireSubject,
);

/** Refuses a body without any of its fields. */
function withFields<Fields extends TProperties>(fields: Fields, options: Readonly<Record<string, unknown>>) {
  return checked(strictObject(fields, options), (value, problems) => {
    if (Object.keys(value).length === 0)
      problems.add('body', `give at least one of ${Object.keys(fields).join(', ')}`);
  });
}

export const updateTemplateBody = withFields(
  {
    name: Type.Optional(name),
    alias: Type.Optional(alias),
    ...versionFields,
    sample_data: Type.Optional(sampleData),
  },
  {
    $id: 'UpdateTemplate',
    examples: [{ subject: 'Your order {{order}}', html: '<p>Thank you, {{name}}</p>' }],
  },
);

export const draftBody = withFields(versionFields, {
  $id: 'SaveTemplateDraft',
  examples: [{ html: '<p>Thank you so much, {{name}}</p>' }],
});
export type DraftBody = Static<typeof draftBody>;

export const lastChangeQuery = strictObject({
  last_changed_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        '`last_changed_at` of the template as you read it. If the template or its draft was changed since, the request is refused with 409 and changes nothing.',
    }),
  ),
});
export type LastChangeQuery = Static<typeof lastChangeQuery>;

export type CreateTemplateBody = Static<typeof createTemplateBody>;
export type UpdateTemplateBody = Static<typeof updateTemplateBody>;

export const previewBody = strictObject(
  {
    locale: Type.Optional(locale),
    draft: Type.Optional(
      Type.Boolean({
        description:
          'Whether to use the draft of the template, if it has one, instead of the published version.',
      }),
    ),
    data: Type.Optional(
      anyObject({ description: 'Values for the variables. The default is the sample data of the template.' }),
    ),
    ...versionFields,
    html: Type.Optional(body('Replaces the saved body in the preview. The template does not change.')),
    text: Type.Optional(body('Replaces the saved body in the preview. The template does not change.')),
  },
  { $id: 'PreviewTemplate', examples: [{ data: { name: 'Ada', order: 1042 } }] },
);
export type PreviewBody = Static<typeof previewBody>;

export const validateTemplateBody = checked(
  strictObject(
    {
      kind: Type.Optional(kind),
      ...versionFields,
      locale: Type.Optional(locale),
      data: Type.Optional(anyObject({ description: 'Values for the variables of the template.' })),
    },
    {
      $id: 'ValidateTemplate',
      examples: [
        {
          subject: 'Your order {{order}}',
          html: '<p>Thank you, {{name}}</p>',
          data: { name: 'Ada', order: 1042 },
        },
      ],
    },
  ),
  requireSubject,
);
export type ValidateTemplateBody = Static<typeof validateTemplateBody>;

export const templatesQuery = strictObject({
  ...pageFields,
  is_active: Type.Optional(
    Type.Boolean({ description: 'Only active templates (`true`), or only deleted ones (`false`).' }),
  ),
  kind: Type.Optional(stringEnum(TEMPLATE_KINDS, { description: 'Only templates of this kind.' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only templates with this text in the name, alias or subject.',
    }),
  ),
});
