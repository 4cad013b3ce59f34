/**
 * Templates ready to render. Compiling takes milliseconds, rendering microseconds, so compiled versions are kept.
 * A version never changes, so what is kept is never stale; only which versions are current is asked every time.
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

/** What was saved has been checked; it can only fail to compile when the limits are narrower than they were then. */
export type SavedTemplate = CompileResult<CompiledTemplate>;

/** What an email keeps of the template that it was accepted with: it renders to the same bytes ever after. */
export interface TemplatePin {
  readonly version: number;
  readonly builtWith: BuiltWith | null;
  /** Of its languages, the one it is in; null is as it was written. */
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
  /** In the nearest of its languages. */
  readonly inLocale: (wanted: string | null) => Promise<LocalTemplate>;
}

export interface LocalTemplate {
  readonly locale: string | null;
  readonly saved: SavedTemplate;
}

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

  /** Exactly this version, also of a template that was deleted since; null when there is none. */
  version(organizationId: string, id: string, pin: TemplatePin): Promise<SavedTemplate | null> {
    return this.#keep(keyOf(organizationId, id, pin), async () => {
      const row = await findVersion(this.#db, { organizationId, id }, pin.version);
      return row ? this.#compile(organizationId, { ...row, kind: 'template' }, pin) : null;
    });
  }

  /** Most templates are put together with nothing: then nothing is asked. */
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
    // What is not found is not kept, so that whoever compiles what is there gets one.
    if (kept) return kept as Promise<T>;
    const compiling = compile();
    this.#kept.set(key, compiling);
    const forget = () => this.#kept.delete(key);
    // What was not found or not read is asked for again.
    compiling.then((saved) => saved ?? forget(), forget);
    return compiling;
  }
}

const TOO_MANY_PIECES: SavedTemplate = {
  ok: false,
  errors: [
    {
      ...{ code: 'too_complex', part: 'html', line: 1, column: 1 },
      message: `It uses more than ${PIECE_LIMITS.pieces} layouts and partials, with those that they use.`,
    },
  ],
};

function keyOf(organizationId: string, id: string, pin: TemplatePin): string {
  return [organizationId, id, pin.version, pin.builtWith ?? '', pin.locale ?? ''].join(' ');
}
