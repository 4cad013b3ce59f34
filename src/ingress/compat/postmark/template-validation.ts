/** Validates and renders a template without saving it, and lists the data it needs. */

import type { JsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import type { TemplateData } from '../../../template-language/render.ts';
import { compileInTurns, detectVariables } from '../../../template-language/template.ts';
import type { PartName, TemplateProblem } from '../../../template-language/tree.ts';
import { type Preview, previewTemplate } from '../../../templates/preview.ts';
import { fieldsOfPostmark, given } from './message-body.ts';

/** A missing field stays unchanged; null clears it. */
export function templateSource({ Subject, HtmlBody, TextBody }: JsonFields) {
  return {
    subject: Subject,
    html: HtmlBody === null ? '' : HtmlBody,
    text: TextBody === null ? '' : TextBody,
  };
}

export async function validateSource(fields: JsonFields) {
  const source = sourceOf(fields);
  const compiled = await compileInTurns(source);
  if (!compiled.ok) return { ...sections(source, compiled.errors, null), SuggestedTemplateModel: {} };
  const model = given(fields.TestRenderModel);
  const data = (model === undefined ? {} : fieldsOfPostmark(model)) as TemplateData;
  const preview = await previewTemplate(compiled.template, [], data);
  const names = detectVariables(compiled.template).map(({ name }) => name);
  return { ...sections(source, [], preview), SuggestedTemplateModel: modelOf(names) };
}

type Source = Partial<Record<PartName, string>>;

function sourceOf(fields: JsonFields): Source {
  const problems = new Problems();
  const source: Source = {};
  for (const [part, value] of Object.entries(templateSource(fields)) as [PartName, unknown][]) {
    if (typeof value === 'string') source[part] = value;
    else if (value !== undefined && value !== null) problems.add(part, 'must be a string');
  }
  problems.throwIfAny();
  return source;
}

function sections(source: Source, errors: readonly TemplateProblem[], preview: Preview | null) {
  const section = (part: PartName) => {
    if (source[part] === undefined) return null;
    const wrong = errors.filter((error) => error.part === part).map(problemView);
    const failed = preview !== null && !preview.ok ? [{ Message: preview.message }] : [];
    return {
      ContentIsValid: wrong.length === 0,
      ValidationErrors: [...wrong, ...failed],
      RenderedContent: preview?.ok ? preview[part] : null,
    };
  };
  return {
    AllContentIsValid: errors.length === 0 && preview?.ok === true,
    Subject: section('subject'),
    HtmlBody: section('html'),
    TextBody: section('text'),
  };
}

function problemView({ message, line, column }: TemplateProblem) {
  return { Message: message, Line: line, CharacterPosition: column };
}

interface Model {
  [name: string]: Model | Model[] | string;
}

/** Builds sample data for names such as `user.name` and `items[].price`. */
function modelOf(names: readonly string[]): Model {
  const model: Model = Object.create(null);
  for (const name of names) {
    let at = model;
    const path = name.split('.');
    for (const step of path.slice(0, -1)) at = insideOf(at, step);
    putValue(at, path.at(-1) as string);
  }
  return model;
}

function insideOf(at: Model, step: string): Model {
  const name = step.replace(/\[\]$/, '');
  const inside = at[name];
  const known = Array.isArray(inside) ? inside[0] : inside;
  if (typeof known === 'object') return known;
  const made: Model = Object.create(null);
  at[name] = step.endsWith('[]') ? [made] : made;
  return made;
}

function putValue(at: Model, step: string): void {
  const name = step.replace(/\[\]$/, '');
  at[name] ??= step.endsWith('[]') ? [] : `${name}_Value`;
}
