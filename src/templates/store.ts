/** The one writer of `templates` and `template_versions`. */
import { adHoc, likeText, type Sql, sql, Where } from '../kit/database/sql.ts';
import type { VariableSchema } from '../kit/template-language/variable-schema.ts';

export interface TemplateContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variableSchema: VariableSchema | null;
}

export interface TemplateRow {
  id: string;
  name: string;
  version: number;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
  subject: string;
  html: string;
  text: string;
  variable_schema: VariableSchema | null;
}

export interface VersionRow {
  version: number;
  subject: string;
  html: string;
  text: string;
  variable_schema: VariableSchema | null;
  created_at: Date;
}

const COLUMNS = `t.id, t.name, t.version, t.is_active, t.created_at, t.updated_at,
                 v.subject, v.html, v.text, v.variable_schema`;
const OF_CURRENT = `JOIN template_versions v
                 ON v.organization_id = t.organization_id AND v.template_id = t.id AND v.version = t.version`;
const CURRENT = `templates t ${OF_CURRENT}`;

const insertTemplate = sql(
  'templates.insert',
  `INSERT INTO templates (organization_id, id, name, subject, version, created_at, updated_at)
   VALUES ($1, $2, $3, $4, 1, $5, $5)`,
);

const insertVersion = sql(
  'template_versions.insert',
  `INSERT INTO template_versions (organization_id, template_id, version, subject, html, text, variable_schema, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const selectOne = sql<TemplateRow>(
  'templates.by_id',
  `SELECT ${COLUMNS} FROM ${CURRENT} WHERE t.organization_id = $1 AND t.id = $2`,
);

const lockOne = sql(
  'templates.lock',
  'SELECT FROM templates WHERE organization_id = $1 AND id = $2 AND is_active FOR NO KEY UPDATE',
);

const update = sql(
  'templates.update',
  `UPDATE templates SET name = $3, subject = $4, version = $5, updated_at = $6
   WHERE organization_id = $1 AND id = $2`,
);

const deactivate = sql(
  'templates.deactivate',
  `UPDATE templates SET is_active = false, updated_at = $3 WHERE organization_id = $1 AND id = $2 AND is_active`,
);

const selectVersions = sql<VersionRow>(
  'template_versions.of_template',
  `SELECT version, subject, html, text, variable_schema, created_at FROM template_versions
   WHERE organization_id = $1 AND template_id = $2 ORDER BY version DESC LIMIT $3 OFFSET $4`,
);

const selectVersion = sql<VersionRow>(
  'template_versions.by_number',
  `SELECT version, subject, html, text, variable_schema, created_at FROM template_versions
   WHERE organization_id = $1 AND template_id = $2 AND version = $3`,
);

export interface NewTemplate extends TemplateContent {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly at: Date;
}

export async function createTemplate(tx: Sql, template: NewTemplate): Promise<void> {
  const { organizationId, id, name, subject, at } = template;
  await tx.exec(insertTemplate, [organizationId, id, name, subject, at]);
  await writeVersion(tx, { organizationId, id }, 1, template, at);
}

export function findTemplate(db: Sql, organizationId: string, id: string): Promise<TemplateRow | undefined> {
  return db.maybeOne(selectOne, [organizationId, id]);
}

/**
 * An active one, held against other changes until the transaction ends. Read by a second statement: one that both
 * locks and joins would, after waiting for somebody else's change, look for the version that change wrote among those
 * there were before it, and find nothing.
 */
export async function holdTemplate(
  tx: Sql,
  organizationId: string,
  id: string,
): Promise<TemplateRow | undefined> {
  const [held] = await tx.many(lockOne, [organizationId, id]);
  return held === undefined ? undefined : tx.maybeOne(selectOne, [organizationId, id]);
}

interface TemplateKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Saves a change to a template that is held: the content as a new version. */
export async function saveVersion(
  tx: Sql,
  key: TemplateKey,
  change: TemplateContent & { readonly name: string; readonly version: number; readonly at: Date },
): Promise<void> {
  await writeVersion(tx, key, change.version, change, change.at);
  await tx.exec(update, [key.organizationId, key.id, change.name, change.subject, change.version, change.at]);
}

export async function renameTemplate(
  tx: Sql,
  key: TemplateKey,
  change: { readonly name: string; readonly subject: string; readonly version: number; readonly at: Date },
): Promise<void> {
  await tx.exec(update, [key.organizationId, key.id, change.name, change.subject, change.version, change.at]);
}

/** False when there was nothing active to delete. */
export async function deactivateTemplate(
  db: Sql,
  { organizationId, id }: TemplateKey,
  at: Date,
): Promise<boolean> {
  return (await db.exec(deactivate, [organizationId, id, at])) === 1;
}

export function versionsOf(
  db: Sql,
  { organizationId, id }: TemplateKey,
  window: { limit: number; offset: number },
) {
  return db.many(selectVersions, [organizationId, id, window.limit, window.offset]);
}

export function findVersion(
  db: Sql,
  { organizationId, id }: TemplateKey,
  version: number,
): Promise<VersionRow | undefined> {
  return db.maybeOne(selectVersion, [organizationId, id, version]);
}

export interface TemplateFilter {
  readonly isActive: boolean | null;
  /** Any part of name or subject, any case. */
  readonly search: string | null;
}

export async function listTemplates(
  db: Sql,
  organizationId: string,
  filter: TemplateFilter,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ rows: TemplateRow[]; total: number }> {
  const counting = conditions(organizationId, filter);
  const listing = conditions(organizationId, filter);
  // What is skipped needs no version.
  const page = `SELECT t.* FROM templates t ${listing} ORDER BY t.created_at DESC, t.id DESC
    LIMIT ${listing.param(window.limit)} OFFSET ${listing.param(window.offset)}`;
  const text = `SELECT ${COLUMNS} FROM (${page}) AS t ${OF_CURRENT} ORDER BY t.created_at DESC, t.id DESC`;
  const [rows, { count }] = await Promise.all([
    db.many(adHoc<TemplateRow>(text), listing.params),
    db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM templates t ${counting}`),
      counting.params,
    ),
  ]);
  return { rows, total: count };
}

function conditions(organizationId: string, { isActive, search }: TemplateFilter): Where {
  const where = new Where().add('t.organization_id = ?', organizationId);
  if (isActive !== null) where.add('t.is_active = ?', isActive);
  if (search !== null) {
    const like = `%${likeText(search)}%`;
    where.add('t.name ILIKE ? OR t.subject ILIKE ?', like, like);
  }
  return where;
}

async function writeVersion(
  tx: Sql,
  { organizationId, id }: TemplateKey,
  version: number,
  content: TemplateContent,
  at: Date,
): Promise<void> {
  const schema = content.variableSchema === null ? null : JSON.stringify(content.variableSchema);
  await tx.exec(insertVersion, [
    organizationId,
    id,
    version,
    content.subject,
    content.html,
    content.text,
    schema,
    at,
  ]);
}
