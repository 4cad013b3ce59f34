/** The database of a statement, and the organizations whose rows it concerns, as its definition declares. */
import type { Home, Statement } from '../database/sql.ts';

/** An ad-hoc statement without a declaration must run on the database of one cell. */
export function homeOf({ place }: Statement<unknown>): Home {
  return place?.home ?? 'cell';
}

/** The organizations whose rows of a cell the statement concerns; empty if it concerns all rows of the cell. */
export function organizationsOf(
  { place }: Statement<unknown>,
  params: readonly unknown[] = [],
): readonly string[] {
  if (place?.home !== 'cell' || place.organization === undefined) return [];
  const { organization } = place;
  if (typeof organization === 'string') return idsIn(params[placeOf(organization)]);
  return organization.flatMap((parameter) => idsIn(params[placeOf(parameter)]));
}

/** A parameter is one id or a list of ids. A list may be long and is not copied. Empty if neither was given. */
function idsIn(param: unknown): readonly string[] {
  if (Array.isArray(param)) return param;
  return typeof param === 'string' ? [param] : [];
}

function placeOf(parameter: string): number {
  return Number(parameter.slice(1)) - 1;
}
