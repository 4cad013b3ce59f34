/** Renders a compiled template with data to the subject, html and text of a mail. */

import { type HeaderText, oneLine } from '../protocols/message/unsafe-text.ts';
import { RenderBudget } from './budget.ts';
import { checkData, type DataProblem } from './data.ts';
import { RENDER_LIMITS } from './limits.ts';
import { type RenderLimit, RenderLimitExceeded, RenderRun, rootScope } from './run.ts';
import { type CompiledPart, type CompiledTemplate, PART_NAMES, variableUse } from './template.ts';
import type { PartName } from './tree.ts';
import type { Meter } from './values.ts';
import { Notes, type TemplateWarning, unusedWarnings } from './warnings.ts';

export type TemplateData = Readonly<Record<string, unknown>>;

export type RenderProblem = {
  readonly code: 'template_limit_exceeded' | 'template_data_invalid';
  readonly limit: RenderLimit | DataProblem['limit'];
  /** The part and the loop that exceeded a limit; null when the data did. */
  readonly part: PartName | null;
  readonly line: number | null;
  readonly column: number | null;
  /** The path in the data, if the problem has a single one. */
  readonly path: string | null;
  readonly message: string;
};

/** Parts that the template does not have are null. */
type RenderedContent = { readonly [part in Exclude<PartName, 'subject'>]: string | null } & {
  readonly subject: HeaderText | null;
};

type RenderFailure = { readonly ok: false; readonly problem: RenderProblem };

type RenderResult =
  | (RenderedContent & { readonly ok: true; readonly warnings: readonly TemplateWarning[] })
  | RenderFailure;

export type ContentResult = (RenderedContent & { readonly ok: true }) | RenderFailure;

type PartResult<Output = string> = { readonly ok: true; readonly output: Output } | RenderFailure;

/** For previews: validates the data, renders, and checks every value. */
export function renderTemplate(template: CompiledTemplate, data: TemplateData): RenderResult {
  const budget = new RenderBudget();
  const problem = dataProblem(data);
  if (problem !== null) return { ok: false, problem };
  const warnings: TemplateWarning[] = [];
  const content: Record<PartName, string | null> = { subject: null, html: null, text: null };
  for (const part of PART_NAMES) {
    const compiled = template[part];
    if (compiled === null) continue;
    const notes = new Notes(part);
    const result = runPart(compiled, data, notes, budget);
    if (!result.ok) return result;
    content[part] = result.output;
    warnings.push(...notes.warnings);
  }
  const { topLevel } = variableUse(template);
  if (topLevel !== null) warnings.push(...unusedWarnings(data, topLevel));
  return { ok: true, ...(content as RenderedContent), warnings };
}

/** Why this data is not accepted by any template, or null. */
export function dataProblem(data: unknown, meter: Meter | null = null): RenderProblem | null {
  const found = checkData(data, meter);
  if (found === null) return null;
  const code = found.limit === 'data_type' ? 'template_data_invalid' : 'template_limit_exceeded';
  return { code, ...found, part: null, line: null, column: null };
}

/**
 * The fast path, without warnings. The data must have passed `dataProblem` or come from JSON that did:
 * reading a value must not run code.
 */
export function renderContent(
  template: CompiledTemplate,
  data: TemplateData,
  budget = new RenderBudget(),
): ContentResult {
  const content: Record<PartName, string | null> = { subject: null, html: null, text: null };
  for (const part of PART_NAMES) {
    const compiled = template[part];
    if (compiled === null) continue;
    const result = runPart(compiled, data, null, budget);
    if (!result.ok) return result;
    content[part] = result.output;
  }
  return { ok: true, ...(content as RenderedContent) };
}

/** The fast path for a subject. */
export function renderSubject(
  compiled: CompiledPart,
  data: TemplateData,
  budget: RenderBudget,
): PartResult<HeaderText> {
  return runPart(compiled, data, null, budget) as PartResult<HeaderText>;
}

/** The fast path for one part. */
export function renderPart(
  compiled: CompiledPart,
  data: TemplateData,
  budget = new RenderBudget(),
): PartResult {
  return runPart(compiled, data, null, budget);
}

function runPart(
  compiled: CompiledPart,
  data: TemplateData,
  notes: Notes | null,
  budget: RenderBudget,
): PartResult {
  const { part } = compiled;
  const mostBytes = RENDER_LIMITS.outputBytes[part];
  const run = new RenderRun(mostBytes, notes, budget);
  const body = notes === null ? compiled.plain : compiled.watched;
  try {
    run.spend(body.cost);
    body.run(rootScope(data, run));
    run.checkOutput(null);
    const output = part === 'subject' ? oneLine(run.out) : run.out;
    if (output.length * 3 > mostBytes && Buffer.byteLength(output) > mostBytes) run.stop('output_size');
    return { ok: true, output };
  } catch (error) {
    if (!(error instanceof RenderLimitExceeded)) throw error;
    return { ok: false, problem: limitProblem(part, error) };
  }
}

function limitProblem(part: PartName, { limit, place }: RenderLimitExceeded): RenderProblem {
  const where = place.source === undefined ? part : `${part}, ${place.source}`;
  const message = `${limitMessage(part, limit)} (${where}, line ${place.line}).`;
  return { code: 'template_limit_exceeded', limit, part, ...place, path: null, message };
}

function limitMessage(part: PartName, limit: RenderLimit): string {
  switch (limit) {
    case 'items_per_loop':
      return `A loop may have ${RENDER_LIMITS.itemsPerLoop} items: send fewer`;
    case 'loop_iterations':
      return `All loops together may repeat ${RENDER_LIMITS.iterations} times: send fewer items or nest fewer loops`;
    case 'steps':
      return 'The template has too much to do with this data: send fewer items or nest fewer loops';
    case 'time':
      return `Rendering took longer than ${RENDER_LIMITS.ms} ms: the server is busy. Try again, or send less data`;
    case 'output_size':
      return `The ${part} may have ${RENDER_LIMITS.outputBytes[part]} bytes when rendered: send less data`;
  }
}
