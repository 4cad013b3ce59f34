/** The layouts and partials of templates, their versions, and the templates that use them. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import { PIECE_LIMITS } from '../template-language/limits.ts';
import type { TemplateKind } from './kind.ts';
import type { Translation } from './translations.ts';

/** The ids of a version's partials by name. */
export type PartialIds = Readonly<Record<string, string>>;

/** A version of a layout or partial, by number. Numbers are shorter than ids, and every email stores them. */
export interface PiecePin {
  readonly id: string;
  readonly number: number;
  readonly version: number;
}

export interface PieceRow {
  readonly id: string;
  readonly kind: TemplateKind;
  readonly name: string;
  readonly alias: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly partials: PartialIds | null;
  readonly translations: readonly Translation[] | null;
}

const OF_CURRENT = `JOIN template_versions v
     ON v.organization_id = t.organization_id AND v.template_id = t.id AND v.version = t.version`;

const selectByAlias = sql<{ id: string; alias: string }>(
  'templates.partials_by_alias',
  `SELECT id, alias FROM templates
   WHERE organization_id = $1 AND alias = ANY ($2::text[]) AND kind = 'partial' AND is_active`,
  { home: 'cell', organization: '$1' },
);

/** Includes nested partials; a cycle ends at the first repeated one. Returns at most one more than allowed. */
const selectCurrent = sql<PiecePin>(
  'templates.pieces_now',
  `WITH RECURSIVE used(id) AS (
     SELECT unnest($2::text[])
     UNION
     SELECT partial.value FROM used
     JOIN templates t ON t.organization_id = $1 AND t.id = used.id ${OF_CURRENT}
     CROSS JOIN LATERAL jsonb_each_text(v.partials) AS partial
   )
   SELECT t.id, t.number, t.version FROM (SELECT id FROM used LIMIT ${PIECE_LIMITS.pieces + 1}) AS used
   JOIN templates t ON t.organization_id = $1 AND t.id = used.id
   ORDER BY t.number`,
  { home: 'cell', organization: '$1' },
);

const selectPieces = sql<PieceRow>(
  'template_versions.pieces',
  `SELECT t.id, t.kind, t.name, t.alias, v.subject, v.html, v.text, v.partials, v.translations
   FROM unnest($2::int[], $3::int[]) AS pin(number, version)
   JOIN templates t ON t.organization_id = $1 AND t.number = pin.number
   JOIN template_versions v
     ON v.organization_id = t.organization_id AND v.template_id = t.id AND v.version = pin.version`,
  { home: 'cell', organization: '$1' },
);

const lockPieces = sql<{ id: string }>(
  'templates.lock_pieces',
  `SELECT id FROM templates WHERE organization_id = $1 AND id = ANY ($2::text[]) AND is_active
   ORDER BY id FOR SHARE`,
  { home: 'cell', organization: '$1' },
);

export interface TemplateUser {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
}

const selectUsers = sql<TemplateUser>(
  'templates.users',
  `SELECT id, name, alias FROM templates
   WHERE organization_id = $1 AND is_active
     AND (uses @> ARRAY[$2] OR id IN (SELECT template_id FROM template_drafts
                                      WHERE organization_id = $1 AND uses @> ARRAY[$2]))
   ORDER BY name, id LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

export async function partialsNamed(
  db: Sql,
  organizationId: string,
  names: readonly string[],
): Promise<PartialIds> {
  if (names.length === 0) return {};
  const rows = await db.many(selectByAlias, [organizationId, names]);
  return Object.fromEntries(rows.map(({ id, alias }) => [alias, id]));
}

export function piecesNow(db: Sql, organizationId: string, ids: readonly string[]): Promise<PiecePin[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.many(selectCurrent, [organizationId, ids]);
}

export function findPieces(
  db: Sql,
  organizationId: string,
  pins: readonly Pick<PiecePin, 'number' | 'version'>[],
): Promise<PieceRow[]> {
  if (pins.length === 0) return Promise.resolve([]);
  const numbers = pins.map(({ number }) => number);
  return db.many(selectPieces, [organizationId, numbers, pins.map(({ version }) => version)]);
}

/** Prevents deletion until the transaction ends; false when one of them is already deleted. */
export async function lockPieceRows(
  tx: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return true;
  return (await tx.many(lockPieces, [organizationId, ids])).length === ids.length;
}

export function usersOf(db: Sql, organizationId: string, id: string, limit: number): Promise<TemplateUser[]> {
  return db.many(selectUsers, [organizationId, id, limit]);
}
