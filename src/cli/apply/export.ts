/**
 * `apply export` writes the present state as a file for `apply`: into a folder with a file for each template
 * body, or as text.
 */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Document } from 'yaml';
import { SETTING_NAMES } from '../../organizations/settings/list.ts';
import { CliError, type CommandAnswer, type CommandContext, EXIT_USAGE, type Options } from '../command.ts';
import { FOR_EVERYBODY, presentOf, withSamples } from './current-state.ts';
import { ENTRY_KINDS, type EntryFields, type EntryKind, type PresentEntry, SECTIONS } from './entry.ts';
import { findHere } from './organization-plan.ts';
import { APPLY_FILE } from './read-file.ts';
import type { WantedRoutes } from './routes-plan.ts';
import { type ApplyPlace, atPlace, type OrganizationHere } from './target.ts';

export async function exportAll(
  context: CommandContext,
  folder: string | undefined,
  options: Options,
): Promise<CommandAnswer> {
  if (folder === undefined && options.overwrite !== undefined)
    throw new CliError('--overwrite needs a FOLDER. Name a folder, or leave out --overwrite.', EXIT_USAGE);
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
  const all = { kinds: new Set(ENTRY_KINDS), settings: SETTING_NAMES };
  const listed = await presentOf({ ...api, templates: async () => templates }, all, nowMs);
  const present = await withSamples(api, listed, () => true);
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
    throw new CliError(`${folder} already has a file ${there[0]}. Add --overwrite to replace the file.`);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

export interface ExportedOrganization extends OrganizationHere {
  readonly entries: readonly PresentEntry[];
  /** Notes on what the file format cannot express. */
  readonly notes: readonly string[];
}

/** Template bodies in separate files by path, compared case-insensitively because some file systems are. */
export class BodyFiles {
  readonly texts = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** False when the path is taken. */
  add(path: string, text: string): boolean {
    if (this.#taken.has(path.toLowerCase())) return false;
    this.#taken.add(path.toLowerCase());
    this.texts.set(path, text);
    return true;
  }
}

/** With `files` null, template bodies are inline. */
export function organizationText({ entries, notes }: ExportedOrganization, files: BodyFiles | null): string {
  return yamlOf(sectionsOf(entries, 'templates', files), notes);
}

/** Writes the present state of organizations as a file whose application would change nothing. */
export function installationText(
  all: readonly ExportedOrganization[],
  routes: WantedRoutes | null,
  files: BodyFiles | null,
): string {
  const organizations = all.map(({ id, name, daily_limit, entries }) => ({
    name,
    // Added when the name alone is ambiguous.
    ...(all.filter((one) => one.name === name).length === 1 ? {} : { id }),
    daily_limit,
    ...sectionsOf(entries, `templates/${id}`, files),
  }));
  const notes = all.flatMap((one) => one.notes.map((note) => `${one.name}: ${note}`));
  return yamlOf({ ...(routes === null ? {} : { routes }), organizations }, notes);
}

function sectionsOf(entries: readonly PresentEntry[], folder: string, files: BodyFiles | null) {
  const listOf = (kind: EntryKind, show: (entry: PresentEntry) => EntryFields) =>
    entries
      .filter((entry) => entry.kind === kind)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(show);
  return {
    [SECTIONS.setting]: Object.fromEntries(
      entries.filter(({ kind }) => kind === 'setting').map(({ name, fields }) => [name, fields]),
    ),
    [SECTIONS.domain]: listOf('domain', ({ name, fields }) => domainOf(name, withoutNulls(fields))),
    [SECTIONS.key]: listOf('key', ({ name, fields }) => ({ name, ...withoutNulls(fields) })),
    [SECTIONS.stream]: listOf('stream', ({ name, fields }) => ({ name, ...withoutNulls(fields) })),
    [SECTIONS.webhook]: listOf('webhook', ({ name, fields }) => ({ url: name, ...withoutNulls(fields) })),
    [SECTIONS.template]: listOf('template', (entry) => templateOf(entry, folder, files)),
  };
}

function domainOf(domain: string, tracking: EntryFields): EntryFields {
  return Object.keys(tracking).length === 0 ? { domain } : { domain, tracking };
}

function withoutNulls(fields: EntryFields): EntryFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function templateOf(
  { name: alias, fields }: PresentEntry,
  folder: string,
  files: BodyFiles | null,
): EntryFields {
  const {
    html,
    text,
    variable_schema,
    kind,
    layout,
    inline_css,
    translations = [],
    sample_data,
    ...rest
  } = fields;
  return {
    alias,
    ...(kind === undefined || kind === 'template' ? {} : { kind }),
    ...rest,
    ...(layout == null ? {} : { layout }),
    ...(inline_css === true ? { inline_css } : {}),
    ...bodyOf('html', String(html), `${folder}/${alias}.html`, files),
    ...bodyOf('text', String(text), `${folder}/${alias}.txt`, files),
    ...((translations as readonly unknown[]).length === 0 ? {} : { translations }),
    ...((variable_schema as readonly unknown[]).length === 0 ? {} : { variable_schema }),
    ...(sample_data == null ? {} : { sample_data }),
  };
}

function bodyOf(field: string, text: string, path: string, files: BodyFiles | null): EntryFields {
  if (text === '') return {};
  return files?.add(path, text) ? { [`${field}_file`]: path } : { [field]: text };
}

function yamlOf(value: object, notes: readonly string[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  if (notes.length > 0) {
    document.commentBefore = ['Not in this file:', ...notes]
      .map((line) => ` ${line.replace(/\p{Cc}/gu, ' ')}`)
      .join('\n');
  }
  return document.toString({ lineWidth: 0 });
}
