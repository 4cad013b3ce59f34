/** The one writer of `template_drafts`: changes to templates that are not published yet. */
import { type Sql, sql } from '../database/sql.ts';
import { usedBy } from './pieces.ts';
import type { TemplateContent, TemplateContentRow, TemplateKey } from './store.ts';

export interface DraftRow extends TemplateContentRow {
  /** The version from which the draft was started. */
  based_on: number;
  saved_at: Date;
  saved_by: string | null;
}

const select = sql<DraftRow>(
  'template_drafts.find',
  `SELECT subject, html, text, variable_schema, layout_id, partials, translations, inline_css, based_on, saved_at,
          saved_by
   FROM template_drafts WHERE organization_id = $1 AND template_id = $2`,
  { home: 'cell', organization: '$1' },
);

const upsert = sql(
  'template_drafts.save',
  `INSERT INTO template_drafts AS d (organization_id, template_id, subject, html, text, variable_schema, layout_id, partials,
     translations, uses, based_on, saved_at, saved_by, inline_css)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   ON CONFLICT (organization_id, template_id) DO UPDATE SET
     subject = excluded.subject, html = excluded.html, text = excluded.text, variable_schema = excluded.variable_schema,
     layout_id = excluded.layout_id, partials = excluded.partials, translations = excluded.translations,
     inline_css = excluded.inline_css, uses = excluded.uses, saved_at = excluded.saved_at, saved_by = excluded.saved_by`,
  { home: 'cell', organization: '$1' },
);

const remove = sql<{ template_id: string }>(
  'template_drafts.remove',
  'DELETE FROM template_drafts WHERE organization_id = $1 AND template_id = $2 RETURNING template_id',
  { home: 'cell', organization: '$1' },
);

export function findDraft(db: Sql, { organizationId, id }: TemplateKey): Promise<DraftRow | undefined> {
  return db.maybeOne(select, [organizationId, id]);
}

interface DraftSaved {
  readonly basedOn: number;
  readonly at: Date;
  readonly by: string | null;
}

export async function saveDraft(
  tx: Sql,
  { organizationId, id }: TemplateKey,
  content: TemplateContent,
  { basedOn, at, by }: DraftSaved,
): Promise<void> {
  const { subject, html, text, variableSchema, layoutId, partials, translations } = content;
  const uses = usedBy(content);
  await tx.exec(upsert, [
    ...[
      organizationId,
      id,
      subject,
      html,
      text,
      json(variableSchema),
      layoutId,
      json(partials),
      json(translations),
    ],
    ...[uses.length === 0 ? null : uses, basedOn, at, by, content.inlineCss],
  ]);
}

/** False when there was no draft. */
export async function removeDraft(tx: Sql, { organizationId, id }: TemplateKey): Promise<boolean> {
  return (await tx.maybeOne(remove, [organizationId, id])) !== undefined;
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
