/** Templates by alias or number. Layouts are not supported. */
import type { FastifyInstance } from 'fastify';
import { identifyTarget, nameTarget } from '../../../http/audit.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { judgedBy } from '../../../http/judged-by.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import type { TemplateData } from '../../../template-language/render.ts';
import { compileInTurns, detectVariables } from '../../../template-language/template.ts';
import type { PartName, TemplateProblem } from '../../../template-language/tree.ts';
import type { TemplateNumbers } from '../../../templates/number.ts';
import { type Preview, previewTemplate } from '../../../templates/preview.ts';
import { createTemplateBody, updateTemplateBody } from '../../../templates/schema.ts';
import type { TemplateService } from '../../../templates/service.ts';
import { postmarkServerId } from '../../../webhooks/dispatch/formats/postmark-bounce-types.ts';
import { fieldsOfPostmark, given } from './message-body.ts';
import { postmarkQuery, readWindow, windowOf } from './query.ts';

interface PostmarkTemplates {
  readonly templates: TemplateService;
  readonly numbers: TemplateNumbers;
}

type IdParams = { Params: { id: string } };

const toCreate = judgedBy(createTemplateBody);
const toUpdate = judgedBy(updateTemplateBody);

export function routePostmarkTemplates(app: FastifyInstance, deps: PostmarkTemplates): void {
  routeReading(app, deps);
  routeWriting(app, deps);
}

function routeReading(app: FastifyInstance, { templates, numbers }: PostmarkTemplates): void {
  const config = { tied: true };

  app.get('/templates', { config }, async (request) => {
    const { organizationId } = request.principal;
    const query = postmarkQuery(request);
    const window = windowOf(query);
    // No template has a layout.
    if (query.templatetype === 'Layout' || query.layouttemplate !== undefined)
      return { TotalCount: 0, Templates: [] };
    const { rows, total } = await readWindow(
      (page) => templates.list(organizationId, { isActive: true, search: null, kind: 'template' }, page),
      window,
    );
    const known = await numbers.numbersOf(
      organizationId,
      rows.map(({ id }) => id),
    );
    return { TotalCount: total, Templates: rows.map((row) => itemView(row, known.get(row.id) as number)) };
  });

  app.get<IdParams>('/templates/:id', { config }, async ({ principal: { organizationId }, params }) => {
    const found = await templates.get(organizationId, await idOf(numbers, organizationId, params.id));
    if (!found.is_active) throw noSuchTemplate();
    return {
      ...itemView(found, await numbers.numberOf(organizationId, found.id)),
      Subject: found.subject,
      HtmlBody: found.html_body || null,
      TextBody: found.text_body || null,
      AssociatedServerId: postmarkServerId(organizationId),
    };
  });

  app.post('/templates/validate', { config: { ...config, reads: true } }, ({ body }) => {
    const fields = fieldsOfPostmark(body);
    refuseLayouts(fields);
    return validateSource(fields);
  });
}

function routeWriting(app: FastifyInstance, { templates, numbers }: PostmarkTemplates): void {
  const audited = (action: string) => ({ config: { audit: { action } } });

  // Postmark's client adds a trailing slash, its documentation does not.
  for (const path of ['/templates', '/templates/'])
    app.post(path, audited('template.created'), async (request) => {
      const { organizationId } = request.principal;
      const made = await templates.create(organizationId, toCreate(ownFields(request.body)));
      nameTarget(request, made.name);
      identifyTarget(request, made.id);
      return itemView(made, await numbers.numberOf(organizationId, made.id));
    });

  app.put<IdParams>('/templates/:id', audited('template.updated'), async (request) => {
    const { organizationId } = request.principal;
    const asked = await idOf(numbers, organizationId, request.params.id);
    const changed = await templates.update(organizationId, asked, toUpdate(ownFields(request.body)));
    nameTarget(request, changed.name);
    identifyTarget(request, changed.id);
    return itemView(changed, await numbers.numberOf(organizationId, changed.id));
  });

  app.delete<IdParams>('/templates/:id', audited('template.deleted'), async (request) => {
    const { organizationId } = request.principal;
    const { id } = await templates.remove(
      organizationId,
      await idOf(numbers, organizationId, request.params.id),
    );
    identifyTarget(request, id);
    const number = await numbers.numberOf(organizationId, id);
    return { ErrorCode: 0, Message: `Template ${number} removed.` };
  });
}

/** Digits are a number, because Postmark's aliases begin with a letter. */
async function idOf(numbers: TemplateNumbers, organizationId: string, idOrAlias: string): Promise<string> {
  if (!/^\d+$/.test(idOrAlias)) return idOrAlias;
  const id = await numbers.idOf(organizationId, Number(idOrAlias));
  if (id === undefined) throw noSuchTemplate();
  return id;
}

function ownFields(body: unknown): JsonFields {
  const fields = fieldsOfPostmark(body);
  refuseLayouts(fields);
  const { Name: name, Alias: alias } = fields;
  const own = { name, alias: alias === '' ? null : alias, ...templateSource(fields) };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}

function refuseLayouts({ TemplateType, LayoutTemplate }: JsonFields): void {
  const problems = new Problems();
  if (TemplateType !== undefined && TemplateType !== null && TemplateType !== 'Standard')
    problems.add('TemplateType', 'can only be Standard: put the layout into each template');
  if (LayoutTemplate !== undefined && LayoutTemplate !== null && LayoutTemplate !== '')
    problems.add('LayoutTemplate', 'cannot be given: put the layout into each template');
  problems.throwIfAny();
}

function itemView(
  { name, alias, is_active }: { name: string; alias: string | null; is_active: boolean },
  number: number,
) {
  return {
    TemplateId: number,
    Name: name,
    Alias: alias,
    Active: is_active,
    TemplateType: 'Standard',
    LayoutTemplate: null,
  };
}

function noSuchTemplate(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such template.');
}

/** A missing field stays unchanged; null clears it. */
function templateSource({ Subject, HtmlBody, TextBody }: JsonFields) {
  return {
    subject: Subject,
    html: HtmlBody === null ? '' : HtmlBody,
    text: TextBody === null ? '' : TextBody,
  };
}

/** Validates and renders a template without saving it, and lists the data it needs. */
async function validateSource(fields: JsonFields) {
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
