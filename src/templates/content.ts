/** The content of a template as it is given, stored and compared: what makes a version. */
import type { VariableSchema } from '../kit/template-language/variable-schema.ts';
import type { UpdateTemplateBody, ValidateTemplateBody } from './schema.ts';
import type { TemplateContent, VersionRow } from './store.ts';

/** What people give. `layout` is an id or an alias. */
export interface GivenContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variableSchema: VariableSchema | null;
  readonly layout: string | null;
}

export function contentOf(body: Omit<ValidateTemplateBody, 'data' | 'kind'>): GivenContent {
  return {
    subject: body.subject ?? '',
    html: body.html ?? '',
    text: body.text ?? '',
    variableSchema: (body.variable_schema as VariableSchema | undefined) ?? null,
    layout: body.layout ?? null,
  };
}

export function givenContent(body: UpdateTemplateBody): Partial<GivenContent> {
  return {
    ...(body.subject === undefined ? {} : { subject: body.subject }),
    ...(body.html === undefined ? {} : { html: body.html }),
    ...(body.text === undefined ? {} : { text: body.text }),
    ...(body.variable_schema === undefined ? {} : { variableSchema: body.variable_schema as VariableSchema }),
    ...(body.layout === undefined ? {} : { layout: body.layout }),
  };
}

/** As if it had been given like this. */
export function storedContent(row: Omit<VersionRow, 'version' | 'created_at'>): GivenContent {
  const { subject, html, text, variable_schema: variableSchema, layout_id: layout } = row;
  return { subject, html, text, variableSchema, layout };
}

export function isSameContent(
  row: Omit<VersionRow, 'version' | 'created_at'>,
  next: TemplateContent,
): boolean {
  const { subject, html, text, variable_schema: variableSchema, layout_id: layoutId, partials } = row;
  return inOrder({ subject, html, text, variableSchema, layoutId, partials }) === inOrder(next);
}

/** PostgreSQL has an order of its own for the names of partials. */
function inOrder({ subject, html, text, variableSchema, layoutId, partials }: TemplateContent): string {
  const names = Object.entries(partials ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([subject, html, text, variableSchema, layoutId, names]);
}
