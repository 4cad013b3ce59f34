/**
 * Resend's `/templates`. There are no drafts here: a saved template is used at once, so publishing has no
 * effect.
 */
import type { FastifyInstance } from 'fastify';
import { nameTarget } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { judgedBy } from '../../../http/judged-by.ts';
import { isTemplateId } from '../../../templates/alias.ts';
import { createTemplateBody, updateTemplateBody } from '../../../templates/schema.ts';
import type { TemplateService } from '../../../templates/service.ts';
import { placeIn, resendList } from './cursor.ts';
import { fromResend, toResend } from './placeholders.ts';
import { resendFields } from './send-body.ts';

interface OfTemplate {
  Params: { readonly id: string };
}

type Template = Awaited<ReturnType<TemplateService['get']>>;

const MAX_NAME_CHARS = 200;

export function routeResendTemplates(app: FastifyInstance, templates: TemplateService): void {
  routeReading(app, templates);
  routeWriting(app, templates);
  routeActions(app, templates);
}

function routeReading(app: FastifyInstance, templates: TemplateService): void {
  app.get('/templates', { config: { tied: true } }, async ({ principal, query }) =>
    resendList(
      await templates.listFrom(principal.organizationId, placeIn(query, isTemplateId)),
      templateItem,
    ),
  );

  app.get<OfTemplate>('/templates/:id', { config: { tied: true } }, async ({ principal, params }) =>
    templateView(await active(templates, principal.organizationId, params.id)),
  );
}

function routeWriting(app: FastifyInstance, templates: TemplateService): void {
  const judgeNew = judgedBy(createTemplateBody);
  const created = { config: { audit: { action: 'template.created' } } };
  app.post('/templates', created, async ({ principal, body }, reply) => {
    const fields = ourFields(resendFields(body));
    // Resend allows templates without a subject; ours require one.
    const asked = judgeNew({ subject: fields.name, ...fields });
    const { id } = await templates.create(principal.organizationId, asked);
    return reply.code(201).send({ object: 'template', id });
  });

  const judgeChange = judgedBy(updateTemplateBody);
  const updated = { config: { audit: { action: 'template.updated' } } };
  app.patch<OfTemplate>('/templates/:id', updated, async (request) => {
    const { principal, params, body } = request;
    const fields = ourFields(resendFields(body));
    const { organizationId } = principal;
    const { id, name } =
      Object.keys(fields).length === 0
        ? await active(templates, organizationId, params.id)
        : await templates.update(organizationId, params.id, judgeChange(fields));
    nameTarget(request, name);
    return { object: 'template', id };
  });

  const deleted = { config: { audit: { action: 'template.deleted' } } };
  app.delete<OfTemplate>('/templates/:id', deleted, async ({ principal, params }) => {
    const { id } = await templates.remove(principal.organizationId, params.id);
    return { object: 'template', id, deleted: true };
  });
}

function routeActions(app: FastifyInstance, templates: TemplateService): void {
  app.post<OfTemplate>('/templates/:id/publish', async ({ principal, params }) => {
    const { id } = await active(templates, principal.organizationId, params.id);
    return { object: 'template', id };
  });

  const created = { config: { audit: { action: 'template.created' } } };
  app.post<OfTemplate>('/templates/:id/duplicate', created, async (request, reply) => {
    const { organizationId } = request.principal;
    const original = await active(templates, organizationId, request.params.id);
    const { subject, html_body: html, text_body: text, variable_schema } = original;
    const name = `Copy of ${original.name}`.slice(0, MAX_NAME_CHARS);
    const { id } = await templates.create(organizationId, { name, subject, html, text, variable_schema });
    nameTarget(request, name);
    return reply.code(201).send({ object: 'template', id });
  });
}

/** Deleted templates stay readable in our own API, but not in Resend's. */
async function active(
  templates: TemplateService,
  organizationId: string,
  idOrAlias: string,
): Promise<Template> {
  const template = await templates.get(organizationId, idOrAlias);
  if (!template.is_active) throw new ApiError('NOT_FOUND', [], 'There is no such template.');
  return template;
}

/** Our templates have no `from` and `reply_to`: the email sets them. */
function ourFields({ name, alias, subject, html, text, variables }: JsonFields): JsonFields {
  const all = {
    name,
    alias,
    subject: translated(subject),
    html: translated(html),
    text: translated(text),
    variable_schema: Array.isArray(variables) ? variables.map(ruleOf) : variables,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function translated(text: unknown): unknown {
  return typeof text === 'string' ? fromResend(text) : text;
}

/** A variable without a fallback is required. */
function ruleOf(variable: unknown): JsonFields {
  const { key: name, type = 'string', fallback_value: fallback } = jsonFields(variable);
  return fallback === undefined
    ? { name, type, required: true }
    : { name, type, required: false, default_value: fallback };
}

function templateItem({ id, name, alias, created_at, updated_at }: Pick<Template, ItemField>) {
  return { id, name, alias, status: 'published', published_at: updated_at, created_at, updated_at };
}

type ItemField = 'id' | 'name' | 'alias' | 'created_at' | 'updated_at';

function templateView(template: Template) {
  const { created_at, updated_at } = template;
  return {
    object: 'template',
    ...templateItem(template),
    subject: toResend(template.subject),
    html: toResend(template.html_body),
    text: template.text_body === '' ? null : toResend(template.text_body),
    from: null,
    reply_to: null,
    variables: template.variable_schema.map(({ name: key, type, default_value: fallback }) => ({
      key,
      type,
      fallback_value: fallback ?? null,
      created_at,
      updated_at,
    })),
    has_unpublished_versions: false,
    current_version_id: String(template.version),
  };
}
