/** From a saved template and data to what an email needs of it. Rendered once here, to be sure that it can be. */

import type { TemplateUse } from '../emails/email.ts';
import { ApiError } from '../kit/http/errors.ts';
import { isBlank } from '../kit/message/subject.ts';
import type { Problem } from '../kit/service-error.ts';
import { applyVariableSchema } from '../kit/template-language/apply-schema.ts';
import { Budget } from '../kit/template-language/budget.ts';
import {
  dataProblem,
  type RenderProblem,
  renderContent,
  renderPart,
  type TemplateData,
} from '../kit/template-language/render.ts';
import type { CompiledPart } from '../kit/template-language/template.ts';
import type { Meter } from '../kit/template-language/values.ts';
import type { VariableSchema } from '../kit/template-language/variable-schema.ts';
import type { SendableTemplate } from '../templates/library.ts';
import { patiently } from '../templates/patiently.ts';

/** The machine has too much to do for the moment. */
const LATE_RETRY_SECONDS = 1;

export type Filled = (
  | { readonly ok: true; readonly subject: string; readonly template: TemplateUse }
  /** `late`: only the clock ended it, the data may be fine. */
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly late?: boolean }
) & {
  /** What it has cost, in steps of a render. */
  readonly steps: number;
};

/** `subject`, where given, wins over the template's own. `field` is what the data is called in the request. */
export async function fillTemplate(
  template: SendableTemplate,
  subject: CompiledPart | null,
  given: TemplateData,
  field: string,
): Promise<Filled> {
  const filled = await patiently(
    () => fillOnce(template, subject, given, field),
    (result) => !result.ok && result.late === true,
  );
  if (!filled.ok && filled.late) throw tooLate(filled.problems);
  return filled;
}

function fillOnce(
  template: SendableTemplate,
  subject: CompiledPart | null,
  given: TemplateData,
  field: string,
): Filled {
  const tally = new Tally();
  const checked = checkedData(template.variableSchema, given, field, tally);
  if (!checked.ok) return { ...checked, steps: tally.steps };
  const budget = new Budget();
  const filled = render(template, subject, checked.data, field, budget);
  return { ...filled, steps: tally.steps + budget.steps };
}

class Tally implements Meter {
  steps = 0;

  spend(steps: number): void {
    this.steps += steps;
  }
}

type Unfilled = { readonly ok: false; readonly problems: readonly Problem[]; readonly late?: boolean };

/** The data with its defaults. They count as data: they are stored and rendered with every mail. */
function checkedData(
  schema: VariableSchema,
  given: TemplateData,
  field: string,
  tally: Tally,
): Unfilled | { readonly ok: true; readonly data: TemplateData } {
  const wrong = dataProblem(given, tally);
  if (wrong !== null) return refusal(field, wrong);
  const applied = applyVariableSchema(schema, given, field, tally);
  if (!applied.ok || applied.data === given) return applied;
  const grown = dataProblem(applied.data, tally);
  return grown === null ? applied : refusal(field, grown);
}

function render(
  template: SendableTemplate,
  subject: CompiledPart | null,
  data: TemplateData,
  field: string,
  budget: Budget,
): Unfilled | { readonly ok: true; readonly subject: string; readonly template: TemplateUse } {
  const content = renderContent(template.compiled, data, budget);
  if (!content.ok) return refusal(field, content.problem);
  const own = subject === null ? null : renderPart(subject, data, budget);
  if (own?.ok === false) return refusal('subject', own.problem);
  const line = own?.output ?? content.subject ?? '';
  if (isBlank(line)) return blankSubject();
  const renderedChars = (content.html?.length ?? 0) + (content.text?.length ?? 0);
  const dataJson = JSON.stringify(data);
  const use = { id: template.id, version: template.version, dataJson, renderedChars };
  return { ok: true, subject: line, template: use };
}

function tooLate([problem]: readonly Problem[]): ApiError {
  return new ApiError('UNAVAILABLE', [], problem?.message, { retryAfterSeconds: LATE_RETRY_SECONDS });
}

function blankSubject(): Unfilled {
  return { ok: false, problems: [{ field: 'subject', message: 'renders to nothing with this data' }] };
}

function refusal(field: string, { path, message, limit }: RenderProblem): Unfilled {
  const problem = { field: path === null ? field : `${field}.${path}`, message };
  return { ok: false, problems: [problem], late: limit === 'time' };
}
