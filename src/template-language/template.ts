/** Compiles the text of a template, or returns all its problems. */
import { setImmediate } from 'node:timers/promises';
import { atOnce, inTurns, type SlicedWork } from '../runtime/sliced-work.ts';
import { type Checked, checkLoneTag, checkProgram } from './check.ts';
import { type CompiledBody, compileBody } from './compile.ts';
import type { CheckAround } from './inclusions.ts';
import type { Inlined } from './inlining/inline-css.ts';
import { PART_LIMITS } from './limits.ts';
import { type ParsedSource, parseSource } from './parse.ts';
import { ALONE, type Piece, PieceReader, piecesOf, type TemplateAround } from './pieces.ts';
import type { SourceFinding } from './scan.ts';
import type { Body, PartName, TemplateProblem } from './tree.ts';
import { type DetectedVariable, findVariables, type VariableUse } from './variables.ts';

/** Null, undefined and empty parts do not exist. */
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

  /** Compiled on first use, because only previews need it. */
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

export function compileTemplate(source: TemplateSource, around = ALONE): CompileResult<CompiledTemplate> {
  const reader = new PieceReader();
  return together(partsOf(source).map(([part, text]) => [part, compilePart(part, text, around, reader)]));
}

/** The same in time slices: yields to the event loop after each text, which may take 20 ms. */
export async function compileInTurns(
  source: TemplateSource,
  around = ALONE,
): Promise<CompileResult<CompiledTemplate>> {
  const parts: [PartName, CompileResult<CompiledPart>][] = [];
  const reader = new PieceReader();
  const pieces = piecesOf(around);
  // Loaded on first use: few templates need it, and it depends on libraries.
  const style = around.inlineCss ? (await import('./inlining/inline-css.ts')).inlineCss : null;
  for (const [part, text] of partsOf(source)) {
    if (parts.length > 0) await setImmediate();
    if (part !== 'subject') await readInTurns(reader, pieces, part);
    parts.push([part, await inTurns(compilingPart(part, text, around, reader, style))]);
  }
  return together(parts);
}

async function readInTurns(
  reader: PieceReader,
  pieces: readonly Piece[],
  part: 'html' | 'text',
): Promise<void> {
  for (const piece of pieces) {
    reader.read(piece, part);
    await setImmediate();
  }
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

/** One part alone: a subject that replaces the template's own has no layout or partials. */
export function compilePart(
  part: PartName,
  source: string,
  around = ALONE,
  reader = new PieceReader(),
): CompileResult<CompiledPart> {
  return atOnce(compilingPart(part, source, around, reader, null));
}

function* compilingPart(
  part: PartName,
  source: string,
  around: TemplateAround,
  reader: PieceReader,
  style: InlineStyles | null,
): SlicedWork<CompileResult<CompiledPart>> {
  const { layout, partials, isLayout } = around;
  const slot = isLayout && part !== 'subject' ? SHOWN_IN_SLOT[part] : null;
  const parsed = parseSource(source);
  yield;
  const own = checkSource(part, parsed, { partials, reader, slot });
  yield;
  if (!own.ok || part === 'subject' || layout === null || layout.source[part] === '')
    return compiled(part, yield* styled(part, own, style));
  const outer = { partials: layout.partials, reader, slot: own.body, source: layout.title };
  const whole = checkSource(part, reader.read(layout, part), outer);
  yield;
  return compiled(part, yield* styled(part, whole, style));
}

type InlineStyles = (body: Body) => SlicedWork<Inlined>;

function* styled(part: PartName, checked: Checked, style: InlineStyles | null): SlicedWork<Checked> {
  if (style === null || part !== 'html' || !checked.ok) return checked;
  const inlined = yield* style(checked.body);
  if (inlined.ok) return inlined;
  return {
    ok: false,
    problems: [{ code: 'too_complex', part, line: 1, column: 1, message: inlined.message }],
  };
}

/** The sample content in a layout's slot. */
const SHOWN_IN_SLOT: Readonly<Record<'html' | 'text', Body>> = {
  html: { nodes: [{ kind: 'text', text: '<p>Here is what the template says.</p>' }], params: [] },
  text: { nodes: [{ kind: 'text', text: 'Here is what the template says.' }], params: [] },
};

function compiled(part: PartName, checked: Checked): CompileResult<CompiledPart> {
  if (!checked.ok) return { ok: false, errors: inOrder(checked.problems) };
  return { ok: true, template: new CompiledPart(part, checked.body) };
}

function checkSource(part: PartName, parsed: ParsedSource, around: CheckAround): Checked {
  if (parsed.kind === 'parsed') return checkProgram(part, parsed.program, around);
  const problem = ({ code, message, place }: SourceFinding): TemplateProblem => ({
    ...{ code, part, message, ...place },
    source: around.source,
  });
  if (parsed.kind === 'exceeded') return { ok: false, problems: [problem(parsed.finding)] };
  const findings = parsed.findings.map(problem);
  const others = parsed.readable.flatMap(({ program, origin }) =>
    checkLoneTag(part, program, origin, around),
  );
  return { ok: false, problems: [...findings, ...others] };
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

function inOrder(problems: readonly TemplateProblem[]): readonly TemplateProblem[] {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return sorted.slice(0, PART_LIMITS.problems);
}
