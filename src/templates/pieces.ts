/** Resolves an organization's layouts and partials in the language of a template. */
import type { Sql } from '../database/sql.ts';
import { PIECE_LIMITS } from '../template-language/limits.ts';
import type { Piece, TemplateAround } from '../template-language/pieces.ts';
import type { TemplateKind } from './kind.ts';
import { findPieces, type PartialIds, type PiecePin, type PieceRow, piecesNow } from './store-pieces.ts';
import { textsIn } from './translations.ts';

/** The parts of a version that define its layout, partials and styles. */
interface Composition {
  readonly kind: TemplateKind;
  readonly layoutId: string | null;
  readonly partials: PartialIds | null;
  readonly inlineCss?: boolean | undefined;
}

/** The versions of the layout and partials in an email: `12:3,15:1`. Null when there are none. */
export type BuiltWith = string;

export function usedBy({ layoutId, partials }: Omit<Composition, 'kind' | 'inlineCss'>): string[] {
  const ids = new Set(Object.values(partials ?? {}));
  if (layoutId !== null) ids.add(layoutId);
  return [...ids];
}

/** The current versions; null when there are more than a template may have. */
export async function pinsNow(
  db: Sql,
  organizationId: string,
  composition: Omit<Composition, 'kind' | 'inlineCss'>,
): Promise<readonly PiecePin[] | null> {
  const pins = await piecesNow(db, organizationId, usedBy(composition));
  return pins.length > PIECE_LIMITS.pieces ? null : pins;
}

export function builtWith(pins: readonly PiecePin[]): BuiltWith | null {
  return pins.length === 0 ? null : pins.map(({ number, version }) => `${number}:${version}`).join(',');
}

export function pinsOf(built: BuiltWith | null): Pick<PiecePin, 'number' | 'version'>[] {
  if (built === null) return [];
  return built.split(',').map((pin) => {
    const [number = 0, version = 0] = pin.split(':').map(Number);
    return { number, version };
  });
}

export async function surroundingsOf(
  db: Sql,
  organizationId: string,
  { kind, layoutId, partials, inlineCss = false }: Composition,
  pins: readonly Pick<PiecePin, 'number' | 'version'>[],
  locale: string | null,
): Promise<TemplateAround> {
  const pieces = toPieces(await findPieces(db, organizationId, pins), locale);
  return {
    layout: (layoutId !== null && pieces.get(layoutId)) || null,
    partials: namedPieces(pieces, partials),
    isLayout: kind === 'layout',
    inlineCss,
  };
}

/** Each in the template's language, or the nearest available one. */
function toPieces(rows: readonly PieceRow[], locale: string | null): ReadonlyMap<string, Piece> {
  const pieces = new Map<string, Piece & { partials: Map<string, Piece> }>();
  for (const row of rows) {
    const { html, text } = textsIn(row, locale);
    const title = `the ${row.kind} "${row.alias ?? row.name}"`;
    pieces.set(row.id, { title, source: { html, text }, partials: new Map() });
  }
  for (const { id, partials } of rows) {
    for (const [name, piece] of namedPieces(pieces, partials)) pieces.get(id)?.partials.set(name, piece);
  }
  return pieces;
}

function namedPieces(pieces: ReadonlyMap<string, Piece>, ids: PartialIds | null): Map<string, Piece> {
  const named = new Map<string, Piece>();
  for (const [name, id] of Object.entries(ids ?? {})) {
    const piece = pieces.get(id);
    if (piece !== undefined) named.set(name, piece);
  }
  return named;
}
