/** Renders a template without sending it. Missing values stay empty, and everything unusual is reported. */
import { convertingHtml } from '../protocols/message/plain-text/text-from-html.ts';
import { isBlank } from '../protocols/message/subject.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { applyEachRule } from '../template-language/apply-schema.ts';
import { dataProblem, renderTemplate, type TemplateData } from '../template-language/render.ts';
import type { CompiledTemplate } from '../template-language/template.ts';
import type { VariableSchema } from '../template-language/variable-schema.ts';
import { retryOnTimeout } from './retry-on-timeout.ts';

interface PreviewWarning {
  readonly code: string;
  readonly message: string;
  readonly variable: string | null;
  readonly part: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly source: string | null;
}

interface PreviewedContent {
  readonly ok: true;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly warnings: readonly PreviewWarning[];
}

export type Preview =
  | PreviewedContent
  /** `late`: the time limit ended the render. */
  | { readonly ok: false; readonly message: string; readonly late: boolean };

export async function previewTemplate(
  compiled: CompiledTemplate,
  schema: VariableSchema,
  given: TemplateData,
): Promise<Preview> {
  const rendered = await retryOnTimeout(
    () => renderedOnce(compiled, schema, given),
    (one) => !one.ok && one.late,
  );
  if (!rendered.ok) return rendered;
  // The same conversion as for a sent email.
  const text = rendered.text ?? (await inTurns(convertingHtml(rendered.html)));
  return { ...rendered, text };
}

/** `text` is null when the template has no text part. */
type Rendered =
  | Extract<Preview, { ok: false }>
  | (Omit<PreviewedContent, 'text'> & { readonly text: string | null });

function renderedOnce(compiled: CompiledTemplate, schema: VariableSchema, given: TemplateData): Rendered {
  // Validation walks the data, so its size is checked first.
  const wrong = dataProblem(given);
  if (wrong !== null) return { ok: false, message: wrong.message, late: false };
  const { data, warnings } = applyLeniently(schema, given);
  const result = renderTemplate(compiled, data);
  if (!result.ok)
    return { ok: false, message: result.problem.message, late: result.problem.limit === 'time' };
  const seen = result.warnings.map(({ path, ...warning }) => ({ ...warning, variable: path }));
  return {
    ok: true,
    subject: result.subject ?? '',
    html: result.html ?? '',
    text: result.text,
    warnings: [...warnings, ...blankSubject(result.subject ?? ''), ...seen],
  };
}

function blankSubject(subject: string): PreviewWarning[] {
  if (!isBlank(subject)) return [];
  const message = 'The subject renders to nothing; a send would be refused';
  return [
    {
      code: 'would_be_refused',
      message,
      variable: null,
      part: 'subject',
      line: null,
      column: null,
      source: null,
    },
  ];
}

/** Reports problems as warnings that a send would reject. */
function applyLeniently(
  schema: VariableSchema,
  given: TemplateData,
): { data: TemplateData; warnings: PreviewWarning[] } {
  const { data, problems } = applyEachRule(schema, given, 'data');
  const warnings = problems.map(({ rule, field, message }) => ({
    code: 'would_be_refused',
    message: `${field} ${message}; a send would be refused`,
    variable: rule.name,
    part: null,
    line: null,
    column: null,
    source: null,
  }));
  return { data, warnings };
}
