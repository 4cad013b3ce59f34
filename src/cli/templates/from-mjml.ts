/**
 * Compiles MJML with the project's own `mjml`. MJML drops unknown elements, which must not happen to template
 * tags.
 */
import { pathToFileURL } from 'node:url';
import type { CompiledSource } from './compiled-source.ts';
import { lostTags, type MarkedSource, markTags, restoreTags } from './mjml-tags.ts';
import { projectPackage } from './project-package.ts';

interface MjmlResult {
  readonly html: string;
  readonly errors?: readonly { readonly formattedMessage?: string; readonly message?: string }[];
}

/** Version 4 returns the result, version 5 a promise. */
type Compile = (text: string, options: object) => MjmlResult | Promise<MjmlResult>;

export async function fromMjml(path: string, body: string): Promise<CompiledSource> {
  const compile = await mjmlOf(path);
  const source = markTags(body);
  const { html, errors = [] } = await compile(source.text, { filePath: path, validationLevel: 'soft' });
  const [first] = errors;
  if (first !== undefined) {
    const message = first.formattedMessage ?? first.message ?? 'is no MJML';
    return { ok: false, message: restoreTags(source, message) };
  }
  const [lost, ...more] = lostTags(source, html);
  if (lost !== undefined) return { ok: false, message: lostMessage(lost, more.length) };
  return { ok: true, html: restoreTags(source, html), text: null, meta: {} };
}

async function mjmlOf(path: string): Promise<Compile> {
  const file = projectPackage(path, 'mjml', 'npm install mjml');
  const loaded = (await import(pathToFileURL(file).href)) as { default: unknown };
  const outer = loaded.default as { default?: unknown };
  return (typeof outer === 'function' ? outer : outer.default) as Compile;
}

function lostMessage({ tag, line }: MarkedSource['tags'][number], more: number): string {
  const others = more === 0 ? '' : `, and ${more} more`;
  return `line ${line}: MJML drops ${tag}${others}. Between its elements it keeps only what is in <mj-raw>: <mj-raw>${tag}</mj-raw>`;
}
