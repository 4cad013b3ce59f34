/** What can be done with templates, on behalf of one organization. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Database } from '../kit/database/database.ts';
import { isUniqueViolation } from '../kit/database/errors.ts';
import { type ListPlace, type PlacedPage, pageAt } from '../kit/database/list-place.ts';
import type { Reads } from '../kit/database/reads.ts';
import type { Sql } from '../kit/database/sql.ts';
import { Problems } from '../kit/problems.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import { newId } from '../kit/runtime/ids.ts';
import { ServiceError } from '../kit/service-error.ts';
import type { TemplateData } from '../kit/template-language/render.ts';
import { type CompiledTemplate, compileInTurns, detectVariables } from '../kit/template-language/template.ts';
import { checkVariableSchema, type VariableSchema } from '../kit/template-language/variable-schema.ts';
import { patiently } from './patiently.ts';
import { type Preview, previewTemplate } from './preview.ts';
import type { CreateTemplateBody, PreviewBody, UpdateTemplateBody, ValidateTemplateBody } from './schema.ts';
import {
  createTemplate,
  deactivateTemplate,
  findTemplate,
  findVersion,
  holdTemplate,
  listTemplates,
  renameTemplate,
  saveVersion,
  type TemplateContent,
  type TemplateFilter,
  type TemplateItemRow,
  type TemplateNames,
  type TemplateRow,
  templatesFrom,
  versionsOf,
} from './store.ts';
import { sendsLast30Days } from './usage.ts';
import { detailView, templateView, variablesView, versionView } from './view.ts';

export interface TemplateServiceOptions {
  readonly db: Database;
  readonly reads: Reads;
  readonly clock: Clock;
}

export class TemplateService {
  readonly #db: Database;
  readonly #reads: Reads;
  readonly #clock: Clock;

  constructor({ db, reads, clock }: TemplateServiceOptions) {
    this.#db = db;
    this.#reads = reads;
    this.#clock = clock;
  }

  async create(organizationId: string, body: CreateTemplateBody) {
    const content = contentOf(body);
    await compileOrRefuse(content);
    const id = newId('tmpl');
    const at = new Date(this.#clock.nowMs());
    const { name, alias = null, sample_data: sampleData = null } = body;
    await this.#db
      .transaction((tx) =>
        createTemplate(tx, { organizationId, id, name, alias, sampleData, at, ...content }),
      )
      .catch(refuseTakenAlias);
    return templateView(await this.#find(organizationId, id));
  }

  async list(
    organizationId: string,
    filter: TemplateFilter,
    { page, limit }: { page: number; limit: number },
  ) {
    const window = { limit, offset: (page - 1) * limit };
    const { rows, total } = await listTemplates(
      this.#reads.lately(organizationId),
      organizationId,
      filter,
      window,
    );
    return { rows: rows.map(templateView), total };
  }

  /** Active ones from one of them on, without their texts. */
  async listFrom(organizationId: string, place: ListPlace): Promise<PlacedPage<TemplateItemRow>> {
    return pageAt(await templatesFrom(this.#reads.lately(organizationId), organizationId, place), place);
  }

  async get(organizationId: string, idOrAlias: string) {
    const row = await this.#find(organizationId, idOrAlias);
    const sends = await sendsLast30Days(this.#db, organizationId, row.id, this.#clock.nowMs());
    // One that was saved under wider limits can still be read.
    const compiled = await compileInTurns(toContent(row));
    return detailView(row, compiled.ok ? detectVariables(compiled.template) : null, sends);
  }

  /** Only the fields given change. A new name, alias or sample alone makes no new version. */
  async update(organizationId: string, idOrAlias: string, body: UpdateTemplateBody) {
    return this.#change(organizationId, idOrAlias, async (row) => {
      const content = { ...toContent(row), ...givenContent(body) };
      await compileOrRefuse(content);
      const { name = row.name, alias = row.alias, sample_data: sampleData = row.sample_data } = body;
      return { name, alias, sampleData, content };
    });
  }

  async restore(organizationId: string, idOrAlias: string, number: string) {
    const version = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
    return this.#change(
      organizationId,
      idOrAlias,
      async ({ id, name, alias, sample_data: sampleData }, tx) => {
        const found = await findVersion(tx, { organizationId, id }, version);
        if (!found) throw noSuchTemplate('There is no such version of this template.');
        return { name, alias, sampleData, content: toContent(found) };
      },
    );
  }

  async versions(
    organizationId: string,
    idOrAlias: string,
    { page, limit }: { page: number; limit: number },
  ) {
    const { id, version: current } = await this.#find(organizationId, idOrAlias);
    const rows = await versionsOf(this.#db, { organizationId, id }, { limit, offset: (page - 1) * limit });
    return { rows: rows.map((version) => versionView(version, current)), total: current };
  }

  async remove(organizationId: string, idOrAlias: string) {
    const id = await deactivateTemplate(this.#db, organizationId, idOrAlias, new Date(this.#clock.nowMs()));
    if (id === undefined) throw noSuchTemplate();
    return { id, deleted: true };
  }

  /** What is saved, with whatever an editor would change about it. */
  async preview(organizationId: string, idOrAlias: string, { data: given, ...draft }: PreviewBody) {
    const row = await this.#find(organizationId, idOrAlias);
    if (!row.is_active) throw noSuchTemplate();
    return rendered({ ...toContent(row), ...givenContent(draft) }, given ?? row.sample_data ?? {});
  }

  /** What is saved nowhere: refused as it would be when it is saved, or as it looks. */
  validate({ data = {}, ...body }: ValidateTemplateBody) {
    return rendered(contentOf(body), data);
  }

  async idOf(organizationId: string, idOrAlias: string): Promise<string> {
    return (await this.#find(organizationId, idOrAlias)).id;
  }

  async #find(organizationId: string, idOrAlias: string): Promise<TemplateRow> {
    const row = await findTemplate(this.#db, organizationId, idOrAlias);
    if (!row) throw noSuchTemplate();
    return row;
  }

  /** One change after the other; what is returned is what this one made, whoever comes next. */
  async #change(
    organizationId: string,
    idOrAlias: string,
    change: (row: TemplateRow, tx: Sql) => Promise<TemplateNames & { readonly content: TemplateContent }>,
  ) {
    const changed = this.#db.transaction(async (tx) => {
      const held = await holdTemplate(tx, organizationId, idOrAlias);
      if (!held) throw noSuchTemplate();
      const { content, ...names } = await change(held, tx);
      const { id, subject, version } = held;
      const key = { organizationId, id };
      const at = new Date(this.#clock.nowMs());
      if (isSame(toContent(held), content)) await renameTemplate(tx, key, { ...names, subject, version, at });
      else await saveVersion(tx, key, { ...content, ...names, version: version + 1, at });
      return findTemplate(tx, organizationId, id);
    });
    const row = await changed.catch(refuseTakenAlias);
    if (!row) throw noSuchTemplate();
    return templateView(row);
  }
}

function contentOf(body: Omit<ValidateTemplateBody, 'data'>): TemplateContent {
  return {
    subject: body.subject,
    html: body.html ?? '',
    text: body.text ?? '',
    variableSchema: (body.variable_schema as VariableSchema | undefined) ?? null,
  };
}

function givenContent(body: UpdateTemplateBody): Partial<TemplateContent> {
  return {
    ...(body.subject === undefined ? {} : { subject: body.subject }),
    ...(body.html === undefined ? {} : { html: body.html }),
    ...(body.text === undefined ? {} : { text: body.text }),
    ...(body.variable_schema === undefined ? {} : { variableSchema: body.variable_schema as VariableSchema }),
  };
}

function toContent(row: Pick<TemplateRow, 'subject' | 'html' | 'text' | 'variable_schema'>): TemplateContent {
  return { subject: row.subject, html: row.html, text: row.text, variableSchema: row.variable_schema };
}

function isSame(a: TemplateContent, b: TemplateContent): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Everything that is wrong with it, at once, or the template ready to render. */
async function compileOrRefuse(content: TemplateContent): Promise<CompiledTemplate> {
  const problems = new Problems();
  for (const { field, message } of checkVariableSchema(content.variableSchema ?? []))
    problems.add(field, message);
  const result = await compileInTurns(content);
  if (!result.ok) {
    for (const { part, line, column, message } of result.errors) {
      problems.add(part, `line ${line}, column ${column}: ${message}`);
    }
  }
  problems.throwIfAny();
  if (!result.ok) throw new Error('A template was refused without a reason.');
  return result.template;
}

async function rendered(content: TemplateContent, data: TemplateData) {
  const compiled = await compileOrRefuse(content);
  const schema = content.variableSchema ?? [];
  await breathe();
  const result = await patiently(
    () => previewTemplate(compiled, schema, data),
    (one) => !one.ok && one.late,
  );
  if (!result.ok) throw previewProblem(result);
  return {
    ...result,
    warnings: [...result.warnings],
    variables: variablesView(detectVariables(compiled), schema),
  };
}

function previewProblem({ message, late }: Extract<Preview, { ok: false }>): ServiceError {
  if (late) return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds: 1 });
  return new Problems().add('data', message).toError();
}

function refuseTakenAlias(error: unknown): never {
  if (!isUniqueViolation(error, 'templates_alias')) throw error;
  throw new ServiceError('CONFLICT', 'Another template of this organization has this alias.', {
    problems: [{ field: 'alias', message: 'belongs to another template' }],
  });
}

function noSuchTemplate(message = 'There is no such template.'): ServiceError {
  return new ServiceError('NOT_FOUND', message);
}
