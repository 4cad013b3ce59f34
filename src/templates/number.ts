/**
 * The number that PostgreSQL assigns to a template beside its id, for clients of other services that identify
 * templates by number. Reads only. Numbers are immutable, so lookups are cached.
 */
import { type Sql, sql } from '../database/sql.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';

const MAX_KEPT = 5_000;
/** The maximum of the column's type. */
const LARGEST = 2 ** 31 - 1;

const selectId = sql<{ id: string }>(
  'templates.id_by_number',
  'SELECT id FROM templates WHERE organization_id = $1 AND number = $2',
  { home: 'cell', organization: '$1' },
);

const selectNumbers = sql<{ id: string; number: number }>(
  'templates.numbers',
  'SELECT id, number FROM templates WHERE organization_id = $1 AND id = ANY ($2::text[])',
  { home: 'cell', organization: '$1' },
);

export class TemplateNumbers {
  readonly #db: Sql;
  readonly #ids = new BoundedMap<string, string>(MAX_KEPT);

  constructor(db: Sql) {
    this.#db = db;
  }

  /** Includes deleted templates; undefined when the organization has no template of this number. */
  async idOf(organizationId: string, number: number): Promise<string | undefined> {
    if (!Number.isInteger(number) || number < 1 || number > LARGEST) return undefined;
    const key = `${organizationId} ${number}`;
    const kept = this.#ids.use(key);
    if (kept !== undefined) return kept;
    const row = await this.#db.maybeOne(selectId, [organizationId, number]);
    if (row !== undefined) this.#ids.set(key, row.id);
    return row?.id;
  }

  async numberOf(organizationId: string, id: string): Promise<number> {
    return (await this.numbersOf(organizationId, [id])).get(id) as number;
  }

  async numbersOf(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db.many(selectNumbers, [organizationId, ids]);
    return new Map(rows.map(({ id, number }) => [id, number]));
  }
}
