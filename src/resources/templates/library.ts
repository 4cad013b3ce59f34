/**
 * Templates ready to render. Compiling takes milliseconds, rendering microseconds, so compiled versions are kept.
 * A version never changes, so what is kept is never stale; only which version is current is asked every time.
 */
import type { Sql } from '../../database/sql.ts';
import { type CompiledTemplate, compileTemplate } from './language/template.ts';
import type { VariableSchema } from './language/variable-schema.ts';
import { findTemplate, findVersion } from './store.ts';

export interface SendableTemplate {
  readonly id: string;
  readonly version: number;
  readonly variableSchema: VariableSchema;
  readonly compiled: CompiledTemplate;
}

/** Most installations have fewer; the least recently used go first. */
const MAX_KEPT = 500;

export class TemplateLibrary {
  readonly #db: Sql;
  readonly #kept = new Map<string, CompiledTemplate>();

  constructor(db: Sql) {
    this.#db = db;
  }

  /** The current version of a template that is not deleted; null when there is none. */
  async active(organizationId: string, id: string): Promise<SendableTemplate | null> {
    const row = await findTemplate(this.#db, organizationId, id);
    if (!row?.is_active) return null;
    const compiled = this.#keep(keyOf(organizationId, id, row.version), () => compileSaved(row));
    return { id, version: row.version, variableSchema: row.variable_schema ?? [], compiled };
  }

  /** Exactly this version, also of a template that was deleted since. */
  async version(organizationId: string, id: string, version: number): Promise<CompiledTemplate | null> {
    const kept = this.#touch(keyOf(organizationId, id, version));
    if (kept) return kept;
    const row = await findVersion(this.#db, { organizationId, id }, version);
    return row ? this.#keep(keyOf(organizationId, id, version), () => compileSaved(row)) : null;
  }

  #keep(key: string, compile: () => CompiledTemplate): CompiledTemplate {
    const kept = this.#touch(key);
    if (kept) return kept;
    const compiled = compile();
    this.#kept.set(key, compiled);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value as string);
    return compiled;
  }

  #touch(key: string): CompiledTemplate | undefined {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
    return kept;
  }
}

function keyOf(organizationId: string, id: string, version: number): string {
  return `${organizationId} ${id} ${version}`;
}

/** What was saved has been checked; if it does not compile, the code has changed under it. */
function compileSaved(source: {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}): CompiledTemplate {
  const result = compileTemplate(source);
  if (!result.ok) throw new Error(`A saved template does not compile: ${result.errors[0]?.message}`);
  return result.template;
}
