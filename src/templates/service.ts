/** Operations on one organization's templates. */
import { actorNameOf } from '../accounts/actor-name.ts';
import type { Database } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import { type ListPlace, type PlacedPage, pageAt } from '../database/list-place.ts';
import type { Reads } from '../database/reads.ts';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { canonicalLocale } from '../runtime/locale.ts';
import { Problems } from '../runtime/problems.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { compileInTurns, detectVariables } from '../template-language/template.ts';
import { contentFromInput, contentOf, contentOfRow, isSameContent, storedContent } from './content.ts';
import type { TemplateKind } from './kind.ts';
import { nextChange, refuseUnseenChange } from './last-change.ts';
import { type CheckedLocales, linkOrRefuse, renderLinked } from './linking.ts';
import { pinsNow, surroundingsOf, usedBy } from './pieces.ts';
import type {
  CreateTemplateBody,
  LastChangeQuery,
  PreviewBody,
  UpdateTemplateBody,
  ValidateTemplateBody,
} from './schema.ts';
import {
  createTemplate,
  deactivateTemplate,
  findTemplate,
  findVersion,
  listTemplates,
  lockTemplate,
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
import { type DraftRow, findDraft } from './store-drafts.ts';
import { lockPieceRows, type TemplateUser, usersOf } from './store-pieces.ts';
import { sendsLast30Days } from './usage.ts';
import { detailView, templateView, versionView } from './view.ts';

const MAX_NAMED_USERS = 10;
const MAX_SHOWN_USERS = 100;

interface TemplateServiceOptions {
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

  /** `actorId`: the user or key; null when no actor is recorded. */
  async create(organizationId: string, body: CreateTemplateBody, actorId: string | null = null) {
    const { kind = 'template', name, alias = null, sample_data: sampleData = null } = body;
    requirePartialAlias(kind, alias);
    const given = { kind, content: contentOf(body), id: null };
    const { content } = await linkOrRefuse(this.#db, organizationId, given);
    const by = await this.#nameOf(actorId);
    const id = newId('tmpl');
    const at = new Date(this.#clock.nowMs());
    await this.#db
      .transaction(async (tx) => {
        await lockUsedPieces(tx, organizationId, content);
        await createTemplate(tx, { organizationId, id, kind, name, alias, sampleData, at, by, ...content });
      })
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

  /** Active templates from the given place on, without their content. */
  async listFrom(organizationId: string, place: ListPlace): Promise<PlacedPage<TemplateItemRow>> {
    return pageAt(await templatesFrom(this.#reads.lately(organizationId), organizationId, place), place);
  }

  async get(organizationId: string, idOrAlias: string) {
    const row = await this.#find(organizationId, idOrAlias);
    const sends = await sendsLast30Days(this.#db, organizationId, row.id, this.#clock.nowMs());
    const { kind } = row;
    const variables = await this.#variablesOf(organizationId, kind, row);
    const users = kind === 'template' ? [] : await usersOf(this.#db, organizationId, row.id, MAX_SHOWN_USERS);
    const draft = await findDraft(this.#db, { organizationId, id: row.id });
    const ofDraft = draft && (await this.#variablesOf(organizationId, kind, draft));
    return detailView(row, variables, { sends, users, draft, ofDraft: ofDraft ?? null });
  }

  /** Null when the template was saved under higher limits and no longer compiles; it can still be read. */
  async #variablesOf(organizationId: string, kind: TemplateKind, content: TemplateRow | DraftRow) {
    const { layout_id: layoutId, partials } = content;
    const pins = (await pinsNow(this.#db, organizationId, { layoutId, partials })) ?? [];
    const around = await surroundingsOf(this.#db, organizationId, { kind, layoutId, partials }, pins, null);
    const compiled = await compileInTurns(content, around);
    return compiled.ok ? detectVariables(compiled.template) : null;
  }

  /** Changes only the given fields. A change of only the name, alias or sample creates no new version. */
  async update(
    organizationId: string,
    idOrAlias: string,
    body: UpdateTemplateBody,
    actorId: string | null = null,
    seen: LastChangeQuery = {},
  ) {
    return this.#change(organizationId, idOrAlias, { actorId, seen }, async (row, tx) => {
      const { name = row.name, alias = row.alias, sample_data: sampleData = row.sample_data } = body;
      const { id, kind } = row;
      requirePartialAlias(kind, alias);
      if (kind === 'partial' && alias !== row.alias)
        refuseUsed(await usersOf(tx, organizationId, id, MAX_NAMED_USERS + 1), 'rename it');
      const given = { kind, content: { ...storedContent(row), ...contentFromInput(body) }, id };
      const { content } = await linkOrRefuse(tx, organizationId, given);
      return { name, alias, sampleData, content };
    });
  }

  async restore(organizationId: string, idOrAlias: string, number: string, actorId: string | null = null) {
    const version = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
    return this.#change(
      organizationId,
      idOrAlias,
      { actorId, seen: {} },
      async ({ id, kind, name, alias, sample_data: sampleData }, tx) => {
        const found = await findVersion(tx, { organizationId, id }, version);
        if (!found)
          throw noSuchTemplate(
            'This template has no version with this number. GET /templates/:id/versions lists the versions.',
          );
        const given = { kind, content: storedContent(found), id };
        const { content } = await linkOrRefuse(tx, organizationId, given);
        return { name, alias, sampleData, content };
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
    return this.#db.transaction(async (tx) => {
      const held = await lockTemplate(tx, organizationId, idOrAlias);
      if (!held) throw noSuchTemplate();
      const { id } = held;
      refuseUsed(await usersOf(tx, organizationId, id, MAX_NAMED_USERS + 1), 'delete it');
      await deactivateTemplate(tx, organizationId, id, new Date(this.#clock.nowMs()));
      return { id, deleted: true };
    });
  }

  /** The saved template or its draft, with an editor's unsaved changes. */
  async preview(
    organizationId: string,
    idOrAlias: string,
    { data: given, locale, draft, ...changes }: PreviewBody,
  ) {
    const row = await this.#find(organizationId, idOrAlias);
    if (!row.is_active) throw noSuchTemplate();
    const base = draft ? ((await findDraft(this.#db, { organizationId, id: row.id })) ?? row) : row;
    const content = { ...storedContent(base), ...contentFromInput(changes) };
    const linked = await linkOrRefuse(
      this.#db,
      organizationId,
      { kind: row.kind, content, id: row.id },
      checkedLocale(locale),
    );
    return renderLinked(linked, given ?? row.sample_data ?? {});
  }

  /** Renders unsaved content, or rejects it as a save would. */
  async validate(
    organizationId: string,
    { data = {}, kind = 'template', locale, ...body }: ValidateTemplateBody,
  ) {
    const given = { kind, content: contentOf(body), id: null };
    // All languages are checked, whichever is shown.
    const whole = await linkOrRefuse(this.#db, organizationId, given);
    if (locale === undefined) return renderLinked(whole, data);
    return renderLinked(await linkOrRefuse(this.#db, organizationId, given, checkedLocale(locale)), data);
  }

  async idOf(organizationId: string, idOrAlias: string): Promise<string> {
    return (await this.#find(organizationId, idOrAlias)).id;
  }

  async #nameOf(actorId: string | null): Promise<string | null> {
    return actorId === null ? null : actorNameOf(this.#db, actorId);
  }

  async #find(organizationId: string, idOrAlias: string): Promise<TemplateRow> {
    const row = await findTemplate(this.#db, organizationId, idOrAlias);
    if (!row) throw noSuchTemplate();
    return row;
  }

  /** Serializes changes to a template. Returns the result of this change, even if another one follows. */
  async #change(
    organizationId: string,
    idOrAlias: string,
    { actorId, seen }: { readonly actorId: string | null; readonly seen: LastChangeQuery },
    change: (row: TemplateRow, tx: Sql) => Promise<TemplateNames & { readonly content: TemplateContent }>,
  ) {
    const by = await this.#nameOf(actorId);
    const changed = this.#db.transaction(async (tx) => {
      const held = await lockTemplate(tx, organizationId, idOrAlias);
      if (!held) throw noSuchTemplate();
      const { id, subject, version } = held;
      const key = { organizationId, id };
      const draft = await findDraft(tx, key);
      refuseUnseenChange(seen, held, draft);
      const { content, ...names } = await change(held, tx);
      const at = nextChange(this.#clock, held, draft);
      await lockUsedPieces(tx, organizationId, content);
      if (isSameContent(contentOfRow(held), content))
        await renameTemplate(tx, key, { ...names, subject, version, at, by });
      else await saveVersion(tx, key, { ...content, ...names, version: version + 1, at, by });
      return findTemplate(tx, organizationId, id);
    });
    const row = await changed.catch(refuseTakenAlias);
    if (!row) throw noSuchTemplate();
    return templateView(row);
  }
}

function refuseUsed(users: readonly TemplateUser[], remedy: string): void {
  if (users.length === 0) return;
  const names = users.slice(0, MAX_NAMED_USERS).map(({ name, alias }) => `"${alias ?? name}"`);
  const more = users.length > MAX_NAMED_USERS ? ' and others' : '';
  throw new ServiceError(
    'CONFLICT',
    `The template is used by ${names.join(', ')}${more}: remove it from these templates first, then ${remedy}.`,
  );
}

function refuseTakenAlias(error: unknown): never {
  if (!isUniqueViolation(error, 'templates_alias')) throw error;
  throw new ServiceError(
    'CONFLICT',
    'Another template of this organization has this alias. Choose another alias.',
    {
      problems: [{ field: 'alias', message: 'belongs to another template' }],
    },
  );
}

function checkedLocale(locale: string | undefined): CheckedLocales {
  return { only: locale === undefined ? null : canonicalLocale(locale) };
}

/** Locks layouts and partials against concurrent deletion. */
export async function lockUsedPieces(
  tx: Sql,
  organizationId: string,
  content: TemplateContent,
): Promise<void> {
  if (await lockPieceRows(tx, organizationId, usedBy(content))) return;
  throw new ServiceError(
    'CONFLICT',
    'A layout or partial of this template was deleted at the same time. Remove it from the template, then try again.',
  );
}

function requirePartialAlias(kind: TemplateKind, alias: string | null): void {
  if (kind !== 'partial' || alias !== null) return;
  throw new Problems().add('alias', 'is required: other templates name a partial by its alias').toError();
}

export function noSuchTemplate(
  message = 'No active template has this id or alias. GET /templates lists the templates.',
): ServiceError {
  return new ServiceError('NOT_FOUND', message);
}
