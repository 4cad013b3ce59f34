/** Templates as the API shows them. */

import type { VariableSchema } from '../template-language/variable-schema.ts';
import type { DetectedVariable } from '../template-language/variables.ts';
import { lastChangeOf } from './last-change.ts';
import type { TemplateContentRow, TemplateRow, VersionRow } from './store.ts';
import type { DraftRow } from './store-drafts.ts';
import type { TemplateUser } from './store-pieces.ts';

export function templateView(row: TemplateRow) {
  return {
    id: row.id,
    name: row.name,
    alias: row.alias,
    kind: row.kind,
    ...bodies(row),
    variables: null,
    version: row.version,
    is_active: row.is_active,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function detailView(
  row: TemplateRow,
  variables: readonly DetectedVariable[] | null,
  more: {
    readonly sends: number;
    readonly users: readonly TemplateUser[];
    readonly draft: DraftRow | undefined;
    readonly ofDraft: readonly DetectedVariable[] | null;
  },
) {
  return {
    ...templateView(row),
    variables: variables && variablesView(variables, row.variable_schema ?? []),
    sample_data: row.sample_data && { ...row.sample_data },
    usage: { sends_last_30_days: more.sends },
    used_by: more.users.map((user) => ({ ...user })),
    draft: more.draft === undefined ? null : draftView(more.draft, more.ofDraft),
    last_changed_at: lastChangeOf(row, more.draft),
  };
}

export function draftView(row: DraftRow, variables: readonly DetectedVariable[] | null = null) {
  const { based_on, saved_at, saved_by, variable_schema } = row;
  return {
    ...bodies(row),
    variables: variables && variablesView(variables, variable_schema ?? []),
    ...{ based_on, saved_at, saved_by },
  };
}

export function versionView(row: VersionRow, current: number) {
  return {
    version: row.version,
    ...bodies(row),
    created_at: row.created_at,
    created_by: row.created_by,
    is_current: row.version === current,
  };
}

/** A variable with a default in its schema is optional; one that the schema requires is required. */
export function variablesView(variables: readonly DetectedVariable[], schema: VariableSchema) {
  const rules = new Map(schema.map((rule) => [rule.name, rule]));
  return variables.map(({ name, type, required, places }) => {
    const rule = rules.get(name);
    const isRequired = rule ? rule.required === true && rule.default_value == null : required;
    return {
      name,
      type: rule?.type ?? type,
      required: isRequired,
      places: places.map(({ source = null, ...place }) => ({ ...place, source })),
    };
  });
}

function bodies(row: TemplateContentRow) {
  return {
    subject: row.subject,
    html_body: row.html,
    text_body: row.text,
    layout: row.layout_id,
    inline_css: row.inline_css,
    translations: (row.translations ?? []).map((translation) => ({ ...translation })),
    partials: Object.entries(row.partials ?? {}).map(([name, id]) => ({ name, id })),
    variable_schema: (row.variable_schema ?? []).map((rule) => ({ ...rule })),
  };
}
