/** Compiles a folder of templates, and returns them with all problems. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { aliasProblem } from '../../templates/alias.ts';
import { TEMPLATE_KINDS, type TemplateKind } from '../../templates/kind.ts';
import type { WantedEntry } from '../apply/entry.ts';
import { inOrderOfUse } from '../apply/template-order.ts';
import { type TranslationInput, toTranslations } from '../apply/template-translations.ts';
import { CliError } from '../command.ts';
import { compileSource } from './compile-source.ts';
import {
  type NamedFile,
  namedFile,
  readMeta,
  type SourceLanguage,
  type TemplateMeta,
  withoutHead,
} from './source-file.ts';

const MAX_FILES = 2_000;
const DEEPEST = 8;

interface ReadTemplates {
  readonly templates: readonly WantedEntry[];
  /** One line each, beginning with the file. */
  readonly wrong: readonly string[];
}

/** One language of one template. */
interface Sheet {
  readonly kind: TemplateKind;
  readonly locale: string | null;
  readonly html: string;
  readonly text: string;
  readonly meta: TemplateMeta;
}

export async function readTemplates(folder: string): Promise<ReadTemplates> {
  const wrong: string[] = [];
  const groups = grouped(await filesIn(folder), ({ named }) => `${named.kind} ${named.base}`);
  const templates: WantedEntry[] = [];
  for (const files of groups.values()) {
    const sheets: Sheet[] = [];
    for (const same of grouped(files, ({ named }) => named.locale).values()) {
      const sheet = await readSheet(folder, same, wrong);
      if (sheet !== null) sheets.push(sheet);
    }
    const template = toTemplate(files[0].named.base, files[0].path, sheets, wrong);
    if (template !== null) templates.push(template);
  }
  for (const [alias, same] of grouped(templates, ({ name }) => name)) {
    if (same.length > 1) wrong.push(`${alias}: ${same.length} templates have this alias`);
  }
  return { templates: inOrderOfUse(templates), wrong };
}

interface FoundFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly named: NamedFile;
}

async function filesIn(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (
        entry.isDirectory() &&
        depth < DEEPEST &&
        entry.name !== 'node_modules' &&
        !entry.name.startsWith('.')
      )
        await walk(path, depth + 1);
      const inside = relative(folder, path).split(sep).join('/');
      const named = entry.isFile() ? namedFile(inside) : null;
      if (named !== null) found.push({ path: inside, named });
      if (found.length > MAX_FILES)
        throw new CliError(`There are more than ${MAX_FILES} files in ${folder}.`);
    }
  };
  await walk(folder, 0).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof CliError) throw error;
    throw new CliError(`${folder} cannot be read: ${error.message}`);
  });
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function readSheet(
  folder: string,
  files: readonly FoundFile[],
  wrong: string[],
): Promise<Sheet | null> {
  const sources = files.filter(({ named: { what } }) => what !== 'txt' && what !== 'yaml');
  const [source, another] = sources;
  const [plain] = files.filter(({ named }) => named.what === 'txt');
  const [beside] = files.filter(({ named }) => named.what === 'yaml');
  const first = source ?? plain;
  // A metadata file without a source does not belong to a template.
  if (first === undefined) return null;
  if (another !== undefined)
    wrong.push(`${another.path}: is there as ${source?.path}, too; keep one of them`);
  const read = async (file: FoundFile | undefined) =>
    file === undefined ? null : readFile(join(folder, file.path), 'utf8');
  const fields: TemplateMeta[] = [metaOf(beside, await read(beside), wrong)];
  const [html, text] = [withoutHead((await read(source)) ?? ''), withoutHead((await read(plain)) ?? '')];
  fields.push(metaOf(source, html.head, wrong), metaOf(plain, text.head, wrong));
  const compiled = source
    ? await compileSource(
        join(folder, source.path),
        source.named.what as SourceLanguage,
        bodyOf(source, html),
        folder,
      )
    : ({ ok: true, html: '', text: null, meta: {} } as const);
  if (compiled.ok === 'nothing') return null;
  if (!compiled.ok) {
    wrong.push(`${source?.path}: ${compiled.message}`);
    return null;
  }
  return {
    ...{ kind: first.named.kind, locale: first.named.locale },
    ...{ html: compiled.html, text: plain === undefined ? (compiled.text ?? '') : text.body },
    meta: Object.assign({}, compiled.meta, ...fields),
  };
}

/** MJML reports line numbers, so the removed head is replaced by empty lines. */
function bodyOf({ named }: FoundFile, { head, body }: ReturnType<typeof withoutHead>): string {
  if (named.what !== 'mjml' || head === null) return body;
  return '\n'.repeat(head.split('\n').length + 1) + body;
}

function metaOf(file: FoundFile | undefined, text: string | null, wrong: string[]): TemplateMeta {
  if (file === undefined || text === null) return {};
  const read = readMeta(text);
  if (read.ok) return read.meta;
  wrong.push(`${file.path}: ${read.message}`);
  return {};
}

function toTemplate(
  base: string,
  path: string,
  sheets: readonly Sheet[],
  wrong: string[],
): WantedEntry | null {
  const own = sheets.find(({ locale }) => locale === null);
  if (own === undefined) {
    if (sheets.length > 0) wrong.push(`${path}: there are translations of it, and no ${base} to translate`);
    return null;
  }
  const { alias = base, name = alias, layout = null, subject = '', variable_schema = [] } = own.meta;
  const { inline_css = false } = own.meta;
  const kind = own.meta.kind ?? own.kind;
  const problem = aliasProblem(alias);
  if (problem !== null) wrong.push(`${path}: its alias, ${alias}, ${problem}`);
  if (!(TEMPLATE_KINDS as readonly string[]).includes(kind))
    wrong.push(`${path}: kind must be ${TEMPLATE_KINDS.join(', ')}, not ${kind}`);
  if (kind === 'template' && subject === '')
    wrong.push(`${path}: it has no subject: write it at the head, or into ${base}.yaml`);
  const outside = kind === 'template' ? { subject, layout, inline_css } : {};
  if (kind !== 'template')
    for (const field of ['subject', 'layout', 'inline_css'] as const)
      if (own.meta[field]) wrong.push(`${path}: ${field} is for templates, and this is a ${kind}`);
  const translations = toTranslations(sheets.filter(({ locale }) => locale !== null).map(translationOf));
  const fields = { name, kind, ...outside, html: own.html, text: own.text, translations, variable_schema };
  return { kind: 'template', name: alias, fields };
}

function translationOf({ locale, html, text, meta: { subject = '' } }: Sheet): TranslationInput {
  return { locale: locale ?? '', subject, html, text };
}

function grouped<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
