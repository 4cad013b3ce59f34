/**
 * `apply export` writes the present state as a file for `apply`: into a folder with a file for each template
 * body, or as text.
 */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, type CommandAnswer, type CommandContext, EXIT_USAGE, type Options } from '../command.ts';
import { ENTRY_KINDS, type PresentEntry } from './entry.ts';
import { FILE_SETTINGS } from './file-schema.ts';
import { findHere } from './organization-plan.ts';
import { type ApplyPlace, atPlace, type OrganizationHere } from './place.ts';
import { FOR_EVERYBODY, presentOf } from './present.ts';
import { APPLY_FILE } from './read-file.ts';
import { BodyFiles, type ExportedOrganization, installationText, organizationText } from './write-file.ts';

export async function exportAll(
  context: CommandContext,
  folder: string | undefined,
  options: Options,
): Promise<CommandAnswer> {
  if (folder === undefined && options.overwrite !== undefined)
    throw new CliError('--overwrite is for a FOLDER.', EXIT_USAGE);
  const bodies = folder === undefined ? null : new BodyFiles();
  const text = await atPlace(context, options, (place) => textAt(context, place, options.org, bodies));
  if (folder === undefined || bodies === null)
    return { json: { [APPLY_FILE]: text }, lines: [text.trimEnd()] };
  const files = new Map([[APPLY_FILE, text], ...bodies.texts]);
  await writeAll(folder, files, options.overwrite !== undefined);
  return {
    json: { folder, files: [...files.keys()] },
    lines: [`Wrote ${join(folder, APPLY_FILE)} and ${bodies.texts.size} files of templates.`],
  };
}

/** Exports the whole installation when the operator names no organization. */
async function textAt(
  { clock }: CommandContext,
  place: ApplyPlace,
  org: string | undefined,
  bodies: BodyFiles | null,
): Promise<string> {
  const read = (one: OrganizationHere) => exported(place, one, clock.nowMs());
  if (place.operate === null || org !== undefined)
    return organizationText(await read(await findHere(place, org)), bodies);
  const all: ExportedOrganization[] = [];
  for (const one of await place.list()) all.push(await read(one));
  return installationText(all, await place.operate.routes.read(), bodies);
}

async function exported(
  place: ApplyPlace,
  organization: OrganizationHere,
  nowMs: number,
): Promise<ExportedOrganization> {
  const api = place.open(organization.id);
  const templates = await api.templates();
  const all = { kinds: new Set(ENTRY_KINDS), settings: Object.keys(FILE_SETTINGS) };
  const present = await presentOf({ ...api, templates: async () => templates }, all, nowMs);
  const isFirst = ({ kind, name }: PresentEntry, index: number) =>
    present.findIndex((one) => one.kind === kind && one.name === name) === index;
  const entries = present.filter((entry, index) => isOurs(entry) && isFirst(entry, index));
  const twins = present.filter((entry, index) => entry.owner === null && !isFirst(entry, index));
  const nameless = templates.filter(({ alias }) => alias === null);
  const notes = [
    ...twins.map(({ kind, name, id }) => `another ${kind} called ${name} (${id})`),
    ...nameless.map(({ id, name }) => `the template ${name} (${id}), which has no alias`),
  ];
  return { ...organization, entries, notes };
}

/** Built-in entries are exported only when they were changed. */
function isOurs({ owner }: PresentEntry): boolean {
  return owner === null || owner === FOR_EVERYBODY;
}

/** Writes all files or none: existing files are checked first. */
async function writeAll(
  folder: string,
  files: ReadonlyMap<string, string>,
  overwrites: boolean,
): Promise<void> {
  const there: string[] = [];
  for (const path of files.keys()) {
    if (
      await access(join(folder, path)).then(
        () => true,
        () => false,
      )
    )
      there.push(path);
  }
  if (there.length > 0 && !overwrites)
    throw new CliError(`There is a ${there[0]} in ${folder} already. Add --overwrite to replace it.`);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
