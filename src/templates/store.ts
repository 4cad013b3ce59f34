/** The one writer of `templates` and `template_versions`. */

import type { ListPlace } from '../database/list-place.ts';
import { patternInJson, type RenamedAddress } from '../database/renamed-address.ts';
import { adHoc, likeText, type Sql, sql, Where } from '../database/sql.ts';
import type { VariableSchema } from '../template-language/variable-schema.ts';
import { isTemplateId } from './alias.ts';
import type { TemplateKind } from './kind.ts';
import { usedBy } from './pieces.ts';
import type { PartialIds } from './store-pieces.ts';
import type { Translation } from './translations.ts';

export interface TemplateContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variableSchema: VariableSchema | null;
  readonly layoutId: string | null;
  readonly partials: PartialIds | null;
  readonly translations: readonly Translation[] | null;
  readonly inlineCss: boolean;
}

type SampleData = Readonly<Record<string, unknown>>;

export interface TemplateRow extends VersionRow {
  id: string;
  kind: TemplateKind;
  name: string;
  alias: string | null;
  is_active: boolean;
  updated_at: Date;
  sample_data: SampleData | null;
}

export interface TemplateContentRow {
  subject: string;
  html: string;
  text: string;
  variable_schema: VariableSchema | null;
  layout_id: string | null;
  partials: PartialIds | null;
  translations: readonly Translation[] | null;
  inline_css: boolean;
}

export interface VersionRow extends TemplateContentRow {
  version: number;
  created_at: Date;
  /** The name of the actor; null when no actor was recorded. */
  created_by: string | null;
}

const TEMPLATE_COLUMNS = `t.id, t.kind, t.name, t.alias, t.version, t.is_active, t.created_at, t.updated_at, t.sample_data,
                 v.subject, v.html, v.text, v.variable_schema, v.layout_id, v.partials, v.translations,
                 v.inline_css, v.created_by`;
const OF_CURRENT_VERSION = `JOIN template_versions v
                 ON v.organization_id = t.organization_id AND v.template_id = t.id AND v.version = t.version`;
const CURRENT = `templates t ${OF_CURRENT_VERSION}`;

const insertTemplate = sql(
  'templates.insert',
  `INSERT INTO templates
     (organization_id, id, name, alias, subject, version, created_at, updated_at, sample_data, kind, uses)
   VALUES ($1, $2, $3, $4, $5, 1, $6, $6, $7, $8, $9)`,
  { home: 'cell', organization: '$1' },
);

const insertVersion = sql(
  'template_versions.insert',
  `INSERT INTO template_versions
     (organization_id, template_id, version, subject, html, text, variable_schema, created_at, layout_id, partials,
      translations, created_by, inline_css)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  { home: 'cell', organization: '$1' },
);

const selectOne = byIdOrAlias<TemplateRow>(
  'templates.find',
  (column) => `SELECT ${TEMPLATE_COLUMNS} FROM ${CURRENT} WHERE t.organization_id = $1 AND t.${column} = $2`,
);

const lockOne = byIdOrAlias<{ id: string }>(
  'templates.lock',
  (column) =>
    `SELECT id FROM templates WHERE organization_id = $1 AND ${column} = $2 AND is_active FOR NO KEY UPDATE`,
);

const renameInSamples = sql(
  'templates.rename_in_samples',
  `UPDATE templates SET sample_data = regexp_replace(sample_data::text, $2, $3, 'gi')::json
   WHERE organization_id = $1 AND sample_data::text ~* $2`,
  { home: 'cell', organization: '$1' },
);

const update = sql(
  'templates.update',
  `UPDATE templates SET name = $3, alias = $4, subject = $5, version = $6, updated_at = $7, sample_data = $8
   WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

const updateUses = sql(
  'templates.update_uses',
  'UPDATE templates SET uses = $3 WHERE organization_id = $1 AND id = $2',
  { home: 'cell', organization: '$1' },
);

const deactivate = byIdOrAlias<{ id: string }>(
  'templates.deactivate',
  (column) =>
    `UPDATE templates SET is_active = false, alias = NULL, updated_at = $3
     WHERE organization_id = $1 AND ${column} = $2 AND is_active RETURNING id`,
);

/** One statement per column, so that each uses its own index. */
function byIdOrAlias<Row>(name: string, text: (column: 'id' | 'alias') => string) {
  const byId = sql<Row>(`${name}_by_id`, text('id'), { home: 'cell', organization: '$1' });
  const byAlias = sql<Row>(`${name}_by_alias`, text('alias'), { home: 'cell', organization: '$1' });
  return (idOrAlias: string) => (isTemplateId(idOrAlias) ? byId : byAlias);
}

const VERSION_COLUMNS = `version, subject, html, text, variable_schema, layout_id, partials, translations, created_at,
  created_by, inline_css`;

const selectVersions = sql<VersionRow>(
  'template_versions.of_template',
  `SELECT ${VERSION_COLUMNS} FROM template_versions
   WHERE organization_id = $1 AND template_id = $2 ORDER BY version DESC LIMIT $3 OFFSET $4`,
  { home: 'cell', organization: '$1' },
);

const selectVersion = sql<VersionRow>(
  'template_versions.by_number',
  `SELECT ${VERSION_COLUMNS} FROM template_versions
   WHERE organization_id = $1 AND template_id = $2 AND version = $3`,
  { home: 'cell', organization: '$1' },
);

interface NewTemplate extends TemplateContent {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: TemplateKind;
  readonly name: string;
  readonly alias: string | null;
  readonly sampleData: SampleData | null;
  readonly at: Date;
  readonly by: string | null;
}

export async function createTemplate(tx: Sql, template: NewTemplate): Promise<void> {
  const { organizationId, id, kind, name, alias, subject, sampleData, at } = template;
  const names = [organizationId, id, name, alias, subject, at, jsonOf(sampleData)];
  await tx.exec(insertTemplate, [...names, kind, usesOf(template)]);
  await writeVersion(tx, { organizationId, id }, 1, template, template);
}

/** A deleted template is found only by its id, because its alias is free for reuse. */
export function findTemplate(
  db: Sql,
  organizationId: string,
  idOrAlias: string,
): Promise<TemplateRow | undefined> {
  return db.maybeOne(selectOne(idOrAlias), [organizationId, idOrAlias]);
}

/**
 * Locks an active template until the transaction ends. The version is read by a second statement: a statement that
 * locks and joins uses the snapshot from before its wait for the lock, which lacks a version inserted meanwhile.
 */
export async function lockTemplate(
  tx: Sql,
  organizationId: string,
  idOrAlias: string,
): Promise<TemplateRow | undefined> {
  const held = await tx.maybeOne(lockOne(idOrAlias), [organizationId, idOrAlias]);
  return held === undefined ? undefined : findTemplate(tx, organizationId, held.id);
}

export interface TemplateKey {
  readonly organizationId: string;
  readonly id: string;
}

/** The fields of a template that are not part of its content. */
export interface TemplateNames {
  readonly name: string;
  readonly alias: string | null;
  readonly sampleData: SampleData | null;
}

interface TemplateChange extends TemplateNames {
  readonly subject: string;
  readonly version: number;
  readonly at: Date;
  readonly by: string | null;
}

/** Saves changed content of a locked template as a new version. */
export async function saveVersion(
  tx: Sql,
  key: TemplateKey,
  change: TemplateChange & TemplateContent,
): Promise<void> {
  await writeVersion(tx, key, change.version, change, change);
  await renameTemplate(tx, key, change);
  await tx.exec(updateUses, [key.organizationId, key.id, usesOf(change)]);
}

export async function renameTemplate(
  tx: Sql,
  { organizationId, id }: TemplateKey,
  { name, alias, sampleData, subject, version, at }: TemplateChange,
): Promise<void> {
  await tx.exec(update, [organizationId, id, name, alias, subject, version, at, jsonOf(sampleData)]);
}

/** Samples may contain addresses from real mail. */
export async function eraseFromSamples(
  tx: Sql,
  organizationId: string,
  renamed: RenamedAddress,
): Promise<void> {
  await tx.exec(renameInSamples, [organizationId, patternInJson(renamed), renamed.shownAs]);
}

/** The id of the deleted template; undefined when no active one matched. */
export async function deactivateTemplate(
  db: Sql,
  organizationId: string,
  idOrAlias: string,
  at: Date,
): Promise<string | undefined> {
  return (await db.maybeOne(deactivate(idOrAlias), [organizationId, idOrAlias, at]))?.id;
}

export function versionsOf(
  db: Sql,
  { organizationId, id }: TemplateKey,
  window: { limit: number; offset: number },
) {
  return db.many(selectVersions, [organizationId, id, window.limit, window.offset]);
}

export function findVersion(db: Sql, { organizationId, id }: TemplateKey, version: number) {
  return db.maybeOne(selectVersion, [organizationId, id, version]);
}

function jsonOf(data: object | null): string | null {
  return data === null ? null : JSON.stringify(data);
}

function usesOf(content: TemplateContent): readonly string[] | null {
  const ids = usedBy(content);
  return ids.length === 0 ? null : ids;
}

async function writeVersion(
  tx: Sql,
  { organizationId, id }: TemplateKey,
  version: number,
  content: TemplateContent,
  { at, by }: Pick<TemplateChange, 'at' | 'by'>,
): Promise<void> {
  await tx.exec(insertVersion, [
    ...[organizationId, id, version, content.subject, content.html, content.text],
    ...[jsonOf(content.variableSchema), at, content.layoutId, jsonOf(content.partials)],
    ...[jsonOf(content.translations), by, content.inlineCss],
  ]);
}

export interface TemplateFilter {
  readonly isActive: boolean | null;
  /** Matches any part of the name, alias or subject, ignoring case. */
  readonly search: string | null;
  readonly kind: TemplateKind | null;
}

export async function listTemplates(
  db: Sql,
  organizationId: string,
  filter: TemplateFilter,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ rows: TemplateRow[]; total: number }> {
  const counting = conditions(organizationId, filter);
  const listing = conditions(organizationId, filter);
  // Skipped rows need no join with versions.
  const page = `SELECT t.* FROM templates t ${listing} ORDER BY t.created_at DESC, t.id DESC
    LIMIT ${listing.param(window.limit)} OFFSET ${listing.param(window.offset)}`;
  const text = `SELECT ${TEMPLATE_COLUMNS} FROM (${page}) AS t ${OF_CURRENT_VERSION} ORDER BY t.created_at DESC, t.id DESC`;
  const [rows, { count }] = await Promise.all([
    db.many(adHoc<TemplateRow>(text, { home: 'cell', organization: '$1' }), listing.params),
    db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM templates t ${counting}`, {
        home: 'cell',
        organization: '$1',
      }),
      counting.params,
    ),
  ]);
  return { rows, total: count };
}

export type TemplateItemRow = Pick<TemplateRow, 'id' | 'name' | 'alias' | 'created_at' | 'updated_at'>;

/**
 * Active templates of the sendable kind, from a given one on, nearest first. Returns one more than requested when the
 * list continues.
 */
export function templatesFrom(
  db: Sql,
  organizationId: string,
  { after, before, limit }: ListPlace,
): Promise<TemplateItemRow[]> {
  const where = new Where()
    .add('t.organization_id = ?', organizationId)
    .add("t.is_active AND t.kind = 'template'");
  const [than, order] = before === null ? ['<', 'DESC'] : ['>', 'ASC'];
  if (after !== null || before !== null) {
    const place = 'SELECT created_at, id FROM templates WHERE organization_id = ? AND id = ?';
    where.add(`(t.created_at, t.id) ${than} (${place})`, organizationId, before ?? after);
  }
  const text = `SELECT t.id, t.name, t.alias, t.created_at, t.updated_at FROM templates t ${where}
    ORDER BY t.created_at ${order}, t.id ${order} LIMIT ${where.param(limit + 1)}`;
  return db.many(adHoc<TemplateItemRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

function conditions(organizationId: string, { isActive, search, kind }: TemplateFilter): Where {
  const where = new Where().add('t.organization_id = ?', organizationId);
  if (isActive !== null) where.add('t.is_active = ?', isActive);
  if (kind !== null) where.add('t.kind = ?', kind);
  if (search !== null) {
    const like = `%${likeText(search)}%`;
    where.add('t.name ILIKE ? OR t.alias ILIKE ? OR t.subject ILIKE ?', like, like, like);
  }
  return where;
}
