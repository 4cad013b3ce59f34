/**
 * Turns a saved template and data into the content of an email. The content is rendered once here, to make sure that it can be.
 */

import { setImmediate as breathe } from 'node:timers/promises';
import { brokenText } from '../emails/rendered-content.ts';
import { isBlank } from '../protocols/message/subject.ts';
import { applyVariableSchema } from '../template-language/apply-schema.ts';
import { RenderBudget } from '../template-language/budget.ts';
import {
  dataProblem,
  type RenderProblem,
  renderContent,
  renderSubject,
  type TemplateData,
} from '../template-language/render.ts';
import { type CompiledPart, compilePart } from '../template-language/template.ts';
import type { Meter } from '../template-language/values.ts';
import type { FoundTemplate, SendableTemplate, TemplateLibrary } from '../templates/library.ts';
import { retryOnTimeout } from '../templates/retry-on-timeout.ts';
import type { FilledContent, TemplateChoice } from './draft.ts';
import type {
  DataRefused,
  InData,
  RenderedTooLate,
  SubjectBroken,
  TemplateBroken,
  TemplateNotFound,
} from './refused.ts';

export interface ChosenTemplate {
  readonly kind: 'chosen';
  readonly template: FoundTemplate;
  /** The given subject. It overrides the template's own, but not a translation's, because it is in one language. */
  readonly subject: CompiledPart | null;
}

interface LocalChoice {
  readonly template: SendableTemplate;
  readonly subject: CompiledPart | null;
}

type Unfilled = DataRefused | RenderedTooLate;

/** Returns the template's current version. */
export async function chooseTemplate(
  templates: TemplateLibrary,
  organizationId: string,
  { id, subject }: Pick<TemplateChoice, 'id' | 'subject'>,
): Promise<ChosenTemplate | TemplateNotFound | TemplateBroken | SubjectBroken> {
  const found = await templates.active(organizationId, id);
  if (found === null) return { kind: 'template_not_found', at: 'template' };
  const { kind } = found;
  if (kind !== 'template') {
    return broken(`This is a ${kind}, which cannot be sent alone: send a template that uses it.`);
  }
  const chosen = { kind: 'chosen', template: found } as const;
  if (subject === null) return { ...chosen, subject };
  const own = compilePart('subject', subject);
  if (!own.ok) return { kind: 'subject_broken', at: 'subject', problems: own.errors };
  return { ...chosen, subject: own.template };
}

function broken(message: string): TemplateBroken {
  return { kind: 'template_broken', at: 'template', message };
}

/** Uses the nearest language that the template has. `steps` is the cost in render steps. */
export async function fillTemplate(
  { template: found, subject }: ChosenTemplate,
  given: TemplateData,
  wanted: string | null,
): Promise<{ readonly result: FilledContent | Unfilled | TemplateBroken; readonly steps: number }> {
  const { locale, saved } = await found.inLocale(wanted);
  if (!saved.ok) return { result: broken(brokenText(saved.errors)), steps: 0 };
  const { id, alias, version, builtWith, variableSchema } = found;
  const template = { id, alias, version, builtWith, variableSchema, locale, compiled: saved.template };
  const chosen = { template, subject: locale === null ? subject : null };
  return retryOnTimeout(
    () => fillOnce(chosen, given),
    ({ result }) => result.kind === 'rendered_too_late',
  );
}

function fillOnce(chosen: LocalChoice, given: TemplateData) {
  const tally = new Tally();
  const checked = checkedData(chosen.template, given, tally);
  if (checked.kind !== 'checked') return { result: checked, steps: tally.steps };
  const budget = new RenderBudget();
  const result = render(chosen, checked.data, budget);
  return { result, steps: tally.steps + budget.steps };
}

class Tally implements Meter {
  steps = 0;

  spend(steps: number): void {
    this.steps += steps;
  }
}

/** The data with the template's defaults. Defaults count as data: they are stored and rendered with every email. */
function checkedData(
  { variableSchema }: SendableTemplate,
  given: TemplateData,
  tally: Tally,
): Unfilled | { readonly kind: 'checked'; readonly data: TemplateData } {
  const wrong = dataProblem(given, tally);
  if (wrong !== null) return inData(wrong);
  const applied = applyVariableSchema(variableSchema, given, '', tally);
  if (!applied.ok) {
    const problems = applied.problems.map(({ field, message }) => ({ at: { inData: field }, message }));
    return { kind: 'data_refused', problems };
  }
  const grown = applied.data === given ? null : dataProblem(applied.data, tally);
  return grown === null ? { kind: 'checked', data: applied.data } : inData(grown);
}

function render(
  { template, subject }: LocalChoice,
  data: TemplateData,
  budget: RenderBudget,
): FilledContent | Unfilled {
  const content = renderContent(template.compiled, data, budget);
  if (!content.ok) return inData(content.problem);
  const own = subject === null ? null : renderSubject(subject, data, budget);
  if (own?.ok === false) return unfilled('subject', own.problem);
  const line = own?.output ?? content.subject;
  if (line === null || isBlank(line)) return blankSubject();
  const renderedChars = (content.html?.length ?? 0) + (content.text?.length ?? 0);
  const dataJson = JSON.stringify(data);
  const { id, version, builtWith, locale } = template;
  const use = { id, version, builtWith, locale, dataJson, renderedChars };
  return { kind: 'filled', subject: line, template: use };
}

export function blankSubject(): DataRefused {
  const problem = { at: 'subject', message: 'renders to nothing with this data' } as const;
  return { kind: 'data_refused', problems: [problem] };
}

function inData(problem: RenderProblem): Unfilled {
  return unfilled({ inData: problem.path ?? '' }, problem);
}

function unfilled(at: 'subject' | InData, { limit, message }: RenderProblem): Unfilled {
  if (limit === 'time') return { kind: 'rendered_too_late', at: 'template', message };
  return { kind: 'data_refused', problems: [{ at, message }] };
}

/** Rendering a thousand emails takes so long that other work needs turns in between. */
const BREATHE_AFTER_MS = 5;
/** About one second of one core: a hundred full renders, or a thousand that use a tenth of their allowance each. */
const MAX_STEPS = 20_000_000;

/** Limits how long rendering the emails of one request delays others: per turn, and in total. */
export class RequestRenderBudget {
  #steps = 0;
  #sinceMs = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#sinceMs < BREATHE_AFTER_MS) return;
    await breathe();
    this.#sinceMs = performance.now();
  }

  spend(steps: number): void {
    this.#steps += steps;
  }

  get isTooMuch(): boolean {
    return this.#steps > MAX_STEPS;
  }
}
