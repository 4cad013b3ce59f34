/**
 * Templates ready to render. Compiling takes milliseconds, rendering microseconds, so compiled versions are kept.
 * A version never changes, so what is kept is never stale; only which version is current is asked every time.
 */
import type { Sql } from '../kit/database/sql.ts';
import { BoundedMap } from '../kit/runtime/bounded-map.ts';
import {
  type CompiledTemplate,
  type CompileResult,
  compileInTurns,
} from '../kit/template-language/template.ts';
import type { VariableSchema } from '../kit/template-language/variable-schema.ts';
import { findTemplate, findVersion } from './store.ts';

/** What was saved has been checked; it can only fail to compile when the limits are narrower than they were then. */
export type SavedTemplate = CompileResult<CompiledTemplate>;

export interface SendableTemplate {
  readonly id: string;
  readonly version: number;
  readonly variableSchema: VariableSchema;
  readonly compiled: CompiledTemplate;
}

export type FoundTemplate = Omit<SendableTemplate, 'compiled'> & { readonly saved: SavedTemplate };

/** Most installations have fewer; the least recently used go first. */
const MAX_KEPT = 500;

export class TemplateLibrary {
  readonly #db: Sql;
  /** Promises, so that many who want the same one wait for one compiling. */
  readonly #kept = new BoundedMap<string, Promise<SavedTemplate | null>>(MAX_KEPT);

  constructor(db: Sql) {
    this.#db = db;
  }

  /** The current version of a template that is not deleted; null when there is none. */
  async active(organizationId: string, idOrAlias: string): Promise<FoundTemplate | null> {
    const row = await findTemplate(this.#db, organizationId, idOrAlias);
    if (!row?.is_active) return null;
    const { id, version } = row;
    const saved = await this.#keep(keyOf(organizationId, id, version), () => compileInTurns(row));
    return saved && { id, version, variableSchema: row.variable_schema ?? [], saved };
  }

  /** Exactly this version, also of a template that was deleted since; null when there is none. */
  version(organizationId: string, id: string, version: number): Promise<SavedTemplate | null> {
    return this.#keep(keyOf(organizationId, id, version), async () => {
      const row = await findVersion(this.#db, { organizationId, id }, version);
      return row ? compileInTurns(row) : null;
    });
  }

  #keep(key: string, compile: () => Promise<SavedTemplate | null>): Promise<SavedTemplate | null> {
    const kept = this.#kept.use(key);
    if (kept) return kept;
    const compiling = compile();
    this.#kept.set(key, compiling);
    const forget = () => this.#kept.delete(key);
    // What was not found or not read is asked for again.
    compiling.then((saved) => saved ?? forget(), forget);
    return compiling;
  }
}

function keyOf(organizationId: string, id: string, version: number): string {
  return `${organizationId} ${id} ${version}`;
}
