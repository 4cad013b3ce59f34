/**
 * Compiled templates. Compiling takes milliseconds and rendering microseconds, so compiled versions are cached.
 * Versions are immutable, so cached ones are never stale; only the current version number is looked up every time.
 */
import type { Sql } from '../database/sql.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { PIECE_LIMITS } from '../template-language/limits.ts';
import { type CompiledTemplate, type CompileResult, compileInTurns } from '../template-language/template.ts';
import type { VariableSchema } from '../template-language/variable-schema.ts';
import type { TemplateKind } from './kind.ts';
import { type BuiltWith, builtWith, pinsNow, pinsOf, surroundingsOf, usedBy } from './pieces.ts';
import { findTemplate, findVersion, type TemplateContentRow, type TemplateRow } from './store.ts';
import { localeIn, textsIn } from './translations.ts';

/** Saved content was validated; compiling fails only if limits were lowered since. */
export type SavedTemplate = CompileResult<CompiledTemplate>;

/** The versions stored with an email, so that it renders to the same bytes later. */
interface TemplatePin {
  readonly version: number;
  readonly builtWith: BuiltWith | null;
  /** The translation used; null for the original. */
  readonly locale: string | null;
}

export interface SendableTemplate extends TemplatePin {
  readonly id: string;
  readonly alias: string | null;
  readonly variableSchema: VariableSchema;
  readonly compiled: CompiledTemplate;
}

export interface FoundTemplate extends Omit<SendableTemplate, 'compiled' | 'locale'> {
  readonly kind: TemplateKind;
  /** Compiles the nearest translation. */
  readonly inLocale: (wanted: string | null) => Promise<LocalTemplate>;
}

interface LocalTemplate {
  readonly locale: string | null;
  readonly saved: SavedTemplate;
}

/** Above the number of templates of most installations; the least recently used are evicted. */
const MAX_KEPT = 500;

export class TemplateLibrary {
  readonly #db: Sql;
  /** Promises, so that concurrent requests share one compilation. */
  readonly #kept = new BoundedMap<string, Promise<SavedTemplate | null>>(MAX_KEPT);

  constructor(db: Sql) {
    this.#db = db;
  }

  /** The current version of a template that is not deleted; otherwise null. */
  async active(organizationId: string, idOrAlias: string): Promise<FoundTemplate | null> {
    const row = await findTemplate(this.#db, organizationId, idOrAlias);
    if (!row?.is_active) return null;
    const { id, alias, version, kind } = row;
    const found = { id, alias, version, kind, variableSchema: row.variable_schema ?? [] };
    const pins = await this.#pinsNow(organizationId, row);
    if (pins === null) {
      return { ...found, builtWith: null, inLocale: async () => ({ locale: null, saved: TOO_MANY_PIECES }) };
    }
    const built = builtWith(pins);
    const inLocale = async (wanted: string | null) => {
      const locale = localeIn(row, wanted);
      const pin = { version, builtWith: built, locale };
      const key = keyOf(organizationId, id, pin);
      const saved = await this.#keep(key, () => this.#compile(organizationId, row, pin));
      return { locale, saved };
    };
    return { ...found, builtWith: built, inLocale };
  }

  /** Exactly this version, even if the template was deleted since; null when it does not exist. */
  version(organizationId: string, id: string, pin: TemplatePin): Promise<SavedTemplate | null> {
    return this.#keep(keyOf(organizationId, id, pin), async () => {
      const row = await findVersion(this.#db, { organizationId, id }, pin.version);
      return row ? this.#compile(organizationId, { ...row, kind: 'template' }, pin) : null;
    });
  }

  /** Most templates use no layout or partials and need no query. */
  #pinsNow(organizationId: string, { layout_id: layoutId, partials }: TemplateRow) {
    const composition = { layoutId, partials };
    return usedBy(composition).length === 0 ? [] : pinsNow(this.#db, organizationId, composition);
  }

  async #compile(
    organizationId: string,
    row: TemplateContentRow & Pick<TemplateRow, 'kind'>,
    pin: TemplatePin,
  ): Promise<SavedTemplate> {
    const { kind, layout_id: layoutId, partials, inline_css: inlineCss } = row;
    const composition = { kind, layoutId, partials, inlineCss };
    const pins = pinsOf(pin.builtWith);
    const around = await surroundingsOf(this.#db, organizationId, composition, pins, pin.locale);
    return compileInTurns(textsIn(row, pin.locale), around);
  }

  #keep<T extends SavedTemplate | null>(key: string, compile: () => Promise<T>): Promise<T> {
    const kept = this.#kept.use(key);
    // Null results are not kept, so a cached promise always has a template.
    if (kept) return kept as Promise<T>;
    const compiling = compile();
    this.#kept.set(key, compiling);
    const forget = () => this.#kept.delete(key);
    // Missing templates and failed reads are looked up again.
    compiling.then((saved) => saved ?? forget(), forget);
    return compiling;
  }
}

const TOO_MANY_PIECES: SavedTemplate = {
  ok: false,
  errors: [
    {
      ...{ code: 'too_complex', part: 'html', line: 1, column: 1 },
      message: `The template uses more than ${PIECE_LIMITS.pieces} layouts and partials, including those that its layouts and partials use. Use fewer.`,
    },
  ],
};

function keyOf(organizationId: string, id: string, pin: TemplatePin): string {
  return [organizationId, id, pin.version, pin.builtWith ?? '', pin.locale ?? ''].join(' ');
}
