/** Where a statement belongs, and whose rows it is about, as its definition declares. */
import type { Home, Statement } from '../database/sql.ts';

/** An ad-hoc statement that declares nothing is for a database of one cell. */
export function homeOf({ place }: Statement<unknown>): Home {
  return place?.home ?? 'cell';
}

/** The organizations whose rows of a cell the statement is about; none where it is about all of the cell's. */
export function organizationsOf(
  { place }: Statement<unknown>,
  params: readonly unknown[] = [],
): readonly string[] {
  if (place?.home !== 'cell' || place.organization === undefined) return [];
  const { organization } = place;
  if (typeof organization === 'string') return idsIn(params[placeOf(organization)]);
  return organization.flatMap((parameter) => idsIn(params[placeOf(parameter)]));
}

/** A parameter is one id or a list of ids; a list may be long and is not copied. Null where nothing of the kind is given. */
function idsIn(param: unknown): readonly string[] {
  if (Array.isArray(param)) return param;
  return typeof param === 'string' ? [param] : [];
}

function placeOf(parameter: string): number {
  return Number(parameter.slice(1)) - 1;
}
