/** From the text of a template to one that renders, or to everything that is wrong with it. */
import { setImmediate } from 'node:timers/promises';
import { checkLoneTag, checkProgram } from './check.ts';
import { type CompiledBody, compileBody } from './compile.ts';
import { PART_LIMITS } from './limits.ts';
import { parseSource } from './parse.ts';
import type { SourceFinding } from './scan.ts';
import type { Body, PartName, TemplateProblem } from './tree.ts';
import { type DetectedVariable, findVariables, type VariableUse } from './variables.ts';

/** Parts that are null, undefined or empty do not exist. */
export type TemplateSource = { readonly [part in PartName]?: string | null | undefined };

export class CompiledPart {
  readonly part: PartName;
  readonly body: Body;
  readonly plain: CompiledBody;
  #watched: CompiledBody | null = null;

  constructor(part: PartName, body: Body) {
    this.part = part;
    this.body = body;
    this.plain = compileBody(part, body, false);
  }

  /** Only previews need it, so that it is made for the first one. */
  get watched(): CompiledBody {
    this.#watched ??= compileBody(this.part, this.body, true);
    return this.#watched;
  }
}

export type CompiledTemplate = { readonly [part in PartName]: CompiledPart | null };

export type CompileResult<T> =
  | { readonly ok: true; readonly template: T }
  | { readonly ok: false; readonly errors: readonly TemplateProblem[] };

export const PART_NAMES: readonly PartName[] = ['subject', 'html', 'text'];

export function compileTemplate(source: TemplateSource): CompileResult<CompiledTemplate> {
  return together(partsOf(source).map(([part, text]) => [part, compilePart(part, text)]));
}

/** The same for those who have others waiting: they get a turn after each part, which may take some 20 ms. */
export async function compileInTurns(source: TemplateSource): Promise<CompileResult<CompiledTemplate>> {
  const parts: [PartName, CompileResult<CompiledPart>][] = [];
  for (const [part, text] of partsOf(source)) {
    if (parts.length > 0) await setImmediate();
    parts.push([part, compilePart(part, text)]);
  }
  return together(parts);
}

function partsOf(source: TemplateSource): [PartName, string][] {
  return PART_NAMES.flatMap((part): [PartName, string][] => (source[part] ? [[part, source[part]]] : []));
}

function together(
  parts: readonly (readonly [PartName, CompileResult<CompiledPart>])[],
): CompileResult<CompiledTemplate> {
  const errors: TemplateProblem[] = [];
  const compiled: Record<PartName, CompiledPart | null> = { subject: null, html: null, text: null };
  for (const [part, result] of parts) {
    if (result.ok) compiled[part] = result.template;
    else errors.push(...result.errors);
  }
  return errors.length === 0 ? { ok: true, template: compiled } : { ok: false, errors };
}

/** One part alone, for a subject that replaces the template's own. */
export function compilePart(part: PartName, source: string): CompileResult<CompiledPart> {
  const parsed = parseSource(source);
  if (parsed.kind === 'exceeded') return { ok: false, errors: [problemOf(part, parsed.finding)] };
  if (parsed.kind === 'broken') {
    const findings = parsed.findings.map((finding) => problemOf(part, finding));
    const others = parsed.readable.flatMap(({ program, origin }) => checkLoneTag(part, program, origin));
    return { ok: false, errors: inOrder([...findings, ...others]) };
  }
  const checked = checkProgram(part, parsed.program);
  if (!checked.ok) return { ok: false, errors: inOrder(checked.problems) };
  return { ok: true, template: new CompiledPart(part, checked.body) };
}

export function detectVariables(template: CompiledTemplate): readonly DetectedVariable[] {
  return variableUse(template).variables;
}

export function variableUse(template: CompiledTemplate): VariableUse {
  const bodies = new Map<PartName, Body>();
  for (const part of PART_NAMES) {
    const compiled = template[part];
    if (compiled !== null) bodies.set(part, compiled.body);
  }
  return findVariables(bodies);
}

function problemOf(part: PartName, { code, message, place }: SourceFinding): TemplateProblem {
  return { code, part, message, ...place };
}

function inOrder(problems: readonly TemplateProblem[]): readonly TemplateProblem[] {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return sorted.slice(0, PART_LIMITS.problems);
}
