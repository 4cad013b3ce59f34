/** The request and response schemas of saved views. */
import { Type } from 'typebox';
import { checked, mapOf, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { checkQuery, MAX_NAME_CHARACTERS, nameProblem, VIEW_LISTS, type ViewList } from './view.ts';

const list = stringEnum(VIEW_LISTS, {
  description: 'The list whose filters the view contains.',
  examples: ['emails'],
});

const name = checked(
  Type.String({
    description: `Name of the view: 1 to ${MAX_NAME_CHARACTERS} characters. Unique among the shared views of a list, and among your own.`,
    examples: ['Bounces of this week'],
  }),
  (text, problems) => {
    const problem = nameProblem(text);
    if (problem !== undefined) problems.add('', problem);
  },
);

const query = mapOf(Type.String({ minLength: 1, maxLength: 1_000 }), {
  description:
    'Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON.',
  examples: [{ status: 'bounced', period: '7d' }],
});

const shared = Type.Boolean({
  description: 'Whether all members of the organization see the view. Otherwise only its creator sees it.',
});

const EXAMPLE = {
  list: 'emails',
  name: 'Bounces of this week',
  query: { status: 'bounced', period: '7d' },
  shared: true,
};

export const createViewBody = checked(
  strictObject(
    { list, name, query, shared: Type.Optional({ ...shared, default: false }) },
    { $id: 'CreateView', examples: [EXAMPLE] },
  ),
  (body, problems) => {
    const isKnown = VIEW_LISTS.includes(body.list as ViewList);
    if (isKnown && isObject(body.query)) checkQuery(body.list, body.query, problems);
  },
);

export const changeViewBody = strictObject(
  { name: Type.Optional(name), query: Type.Optional(query), shared: Type.Optional(shared) },
  {
    $id: 'ChangeView',
    minProperties: 1,
    examples: [{ name: 'Bounces of all time', query: { status: 'bounced' } }],
  },
);

export const viewsQuery = strictObject({ list: Type.Optional(list) });

export const viewSchema = Type.Object(
  {
    id: Type.String({ examples: ['view_7k2m9x4c8v1b5n3z6q0w'] }),
    list,
    name: Type.String(),
    query,
    shared,
    editable: Type.Boolean({
      description:
        'Whether you may change and delete the view: your own views, and shared views that you created. Owners may change all shared views.',
    }),
    created_by: Type.String({ description: 'Id of the user or the API key that created the view.' }),
    created_by_name: nullable(
      Type.String({ description: 'Name of the user or the API key. Null if it does not exist any more.' }),
    ),
    created_at: timestamp(),
  },
  { $id: 'View' },
);

function isObject(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
