/** A template rendered without sending it: missing values stay empty, and everything odd is said. */
import { convertingHtml } from '../protocols/message/plain-text/text-from-html.ts';
import { isBlank } from '../protocols/message/subject.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { applyEachRule } from '../template-language/apply-schema.ts';
import { dataProblem, renderTemplate, type TemplateData } from '../template-language/render.ts';
import type { CompiledTemplate } from '../template-language/template.ts';
import type { VariableSchema } from '../template-language/variable-schema.ts';
import { retryOnTimeout } from './retry-on-timeout.ts';

export interface PreviewWarning {
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
  /** `late`: only the clock ended it. */
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
  // As it would be sent.
  const text = rendered.text ?? (await inTurns(convertingHtml(rendered.html)));
  return { ...rendered, text };
}

/** Null: the template has no text of its own. */
type Rendered =
  | Extract<Preview, { ok: false }>
  | (Omit<PreviewedContent, 'text'> & { readonly text: string | null });

function renderedOnce(compiled: CompiledTemplate, schema: VariableSchema, given: TemplateData): Rendered {
  // The rules walk the data: it must not be larger than it may be.
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

/** What a send would refuse is a warning here. */
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
