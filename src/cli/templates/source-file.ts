/** Reads template files: the parts of their names, and their head. */
import { parse } from 'yaml';
import { canonicalLocale } from '../../runtime/locale.ts';
import type { TemplateKind } from '../../templates/kind.ts';

const SOURCE_LANGUAGES = ['html', 'hbs', 'mjml', 'tsx', 'jsx'] as const;
export type SourceLanguage = (typeof SOURCE_LANGUAGES)[number];

export interface NamedFile {
  /** Without locale and extension: `receipt`. */
  readonly base: string;
  readonly locale: string | null;
  readonly what: SourceLanguage | 'txt' | 'yaml';
  readonly kind: TemplateKind;
}

/** `path` is relative, with `/`. Null for other files. */
export function namedFile(path: string): NamedFile | null {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const dot = file.lastIndexOf('.');
  if (dot <= 0 || file.startsWith('.') || file.startsWith('_')) return null;
  const ending = file.slice(dot + 1).toLowerCase();
  const what = ending === 'yml' ? 'yaml' : ending;
  if (!isKnown(what)) return null;
  return { ...baseAndLocale(file.slice(0, dot)), what, kind: kindIn(folders) };
}

function isKnown(ending: string): ending is NamedFile['what'] {
  return ending === 'txt' || ending === 'yaml' || (SOURCE_LANGUAGES as readonly string[]).includes(ending);
}

/** `receipt.pt-BR`: the part after the last dot is a locale if it has that format. */
function baseAndLocale(name: string): Pick<NamedFile, 'base' | 'locale'> {
  const dot = name.lastIndexOf('.');
  const locale = dot <= 0 ? null : canonicalLocale(name.slice(dot + 1));
  return locale === null ? { base: name, locale } : { base: name.slice(0, dot), locale };
}

function kindIn(folders: readonly string[]): TemplateKind {
  if (folders.includes('layouts')) return 'layout';
  return folders.includes('partials') ? 'partial' : 'template';
}

/** A template's metadata in files. */
export interface TemplateMeta {
  readonly alias?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly subject?: string;
  readonly layout?: string | null;
  readonly inline_css?: boolean;
  readonly variable_schema?: readonly unknown[];
}

const META_FIELDS = ['alias', 'name', 'kind', 'subject', 'layout', 'inline_css', 'variable_schema'];

type ReadMeta =
  | { readonly ok: true; readonly meta: TemplateMeta }
  | { readonly ok: false; readonly message: string };

export function readMeta(text: string): ReadMeta {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 }) ?? {};
  } catch (error) {
    return { ok: false, message: (error as Error).message.split('\n')[0] ?? 'cannot be read' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, message: 'must be fields, such as subject: Hello' };
  const unknown = Object.keys(value).find((field) => !META_FIELDS.includes(field));
  if (unknown !== undefined)
    return { ok: false, message: `has no field ${unknown}; there are ${META_FIELDS.join(', ')}` };
  const wrong = Object.entries(value).find(([field, one]) => !isFine(field, one));
  if (wrong !== undefined) return { ok: false, message: `${wrong[0]} is not what it should be` };
  return { ok: true, meta: value as TemplateMeta };
}

function isFine(field: string, value: unknown): boolean {
  if (field === 'variable_schema') return Array.isArray(value);
  if (field === 'inline_css') return typeof value === 'boolean';
  return typeof value === 'string' || (field === 'layout' && value === null);
}

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Metadata between two lines of `---` at the very beginning. */
export function withoutHead(text: string): { readonly head: string | null; readonly body: string } {
  const found = HEAD.exec(text);
  return found === null
    ? { head: null, body: text }
    : { head: found[1] ?? '', body: text.slice(found[0].length) };
}
