/** A template rendered without sending it: missing values stay empty, and everything odd is said. */
import { isBlank } from '../../message/subject.ts';
import { renderTemplate, type TemplateData } from './language/render.ts';
import type { CompiledTemplate } from './language/template.ts';
import { applyVariableSchema, type VariableSchema } from './language/variable-schema.ts';

export interface PreviewWarning {
  readonly code: string;
  readonly message: string;
  readonly variable: string | null;
  readonly part: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

export type Preview =
  | {
      readonly ok: true;
      readonly subject: string;
      readonly html: string;
      readonly text: string;
      readonly warnings: readonly PreviewWarning[];
    }
  | { readonly ok: false; readonly message: string };

export function previewTemplate(
  compiled: CompiledTemplate,
  schema: VariableSchema,
  given: TemplateData,
): Preview {
  const { data, warnings } = applyLeniently(schema, given);
  const result = renderTemplate(compiled, data);
  if (!result.ok) return { ok: false, message: result.problem.message };
  const seen = result.warnings.map(({ path, ...warning }) => ({ ...warning, variable: path }));
  return {
    ok: true,
    subject: result.subject ?? '',
    html: result.html ?? '',
    text: result.text ?? '',
    warnings: [...warnings, ...blankSubject(result.subject ?? ''), ...seen],
  };
}

function blankSubject(subject: string): PreviewWarning[] {
  if (!isBlank(subject)) return [];
  const message = 'The subject renders to nothing; a send would be refused';
  return [{ code: 'would_be_refused', message, variable: null, part: 'subject', line: null, column: null }];
}

/** Rule by rule: what a send would refuse is a warning here, and the other rules still fill in their defaults. */
function applyLeniently(
  schema: VariableSchema,
  given: TemplateData,
): { data: TemplateData; warnings: PreviewWarning[] } {
  let data = given;
  const warnings: PreviewWarning[] = [];
  for (const rule of schema) {
    const applied = applyVariableSchema([rule], data, 'data');
    if (applied.ok) data = applied.data;
    else {
      for (const { field, message } of applied.problems) {
        const text = `${field} ${message}; a send would be refused`;
        warnings.push({
          code: 'would_be_refused',
          message: text,
          variable: rule.name,
          part: null,
          line: null,
          column: null,
        });
      }
    }
  }
  return { data, warnings };
}
