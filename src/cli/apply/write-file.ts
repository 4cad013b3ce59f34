/** Writes the present state of organizations as a file whose application would change nothing. */
import { Document } from 'yaml';
import { type EntryFields, type EntryKind, type PresentEntry, SECTIONS } from './entry.ts';
import type { OrganizationHere } from './place.ts';
import type { WantedRoutes } from './routes-plan.ts';

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
  const { html, text, variable_schema, kind, layout, inline_css, translations = [], ...rest } = fields;
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
