/** Finds the organization of a template or key that the user did not name. */
import { findKeyInAnyOrganization } from '../accounts/api-keys/store.ts';
import type { Database } from '../database/database.ts';
import { ofAllCells } from '../database/per-cell.ts';
import { findOrganization, listOrganizations } from '../organizations/store.ts';
import { templatesAnywhere } from '../templates/named.ts';
import { CliError, EXIT_USAGE } from './command.ts';

export async function checkOrganization(db: Database, id: string): Promise<void> {
  if ((await findOrganization(db, id)) === undefined)
    throw new CliError(`There is no organization ${id}. See: npx postrider org list`);
}

/** The only organization with this template; if several have one, the user must name theirs. */
export async function organizationWithTemplate(db: Database, idOrAlias: string): Promise<string> {
  const places = await ofAllCells(db, (cell) => templatesAnywhere(cell, idOrAlias));
  const [first, ...others] = [...new Set(places.map((place) => place.organization_id))].sort();
  if (first === undefined)
    throw new CliError(
      `No organization has a template with the id or alias ${idOrAlias}. GET /templates lists the templates of an organization.`,
      EXIT_USAGE,
    );
  if (others.length === 0) return first;
  const names = new Map((await listOrganizations(db)).map(({ id, name }) => [id, name]));
  const all = [first, ...others].map((id) => `  ${id}  ${names.get(id) ?? ''}`.trimEnd());
  throw new CliError(
    [`Several organizations have a template ${idOrAlias}. Name one with --org:`, ...all].join('\n'),
    EXIT_USAGE,
  );
}

export async function organizationOfKey(db: Database, id: string): Promise<string> {
  const key = await findKeyInAnyOrganization(db, id);
  if (key === undefined) throw noSuchKey(id);
  return key.organization_id;
}

export function noSuchKey(id: string): CliError {
  return new CliError(`There is no key ${id}. \`npx postrider key list\` lists the keys.`);
}
