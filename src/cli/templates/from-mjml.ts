/**
 * Compiles MJML with the project's own `mjml`. MJML drops unknown elements, which must not happen to template
 * tags.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompiledSource } from './compiled-source.ts';
import { isAboutTag, type MarkedTag, MjmlTags } from './mjml-tags.ts';
import { projectPackage } from './project-package.ts';

interface MjmlResult {
  readonly html: string;
  readonly errors?: readonly { readonly formattedMessage?: string; readonly message?: string }[];
}

/** Version 4 returns the result, version 5 a promise. */
type Compile = (text: string, options: object) => MjmlResult | Promise<MjmlResult>;

/** `folder`: the folder that is pushed. The source may include files from anywhere in it. */
export async function fromMjml(path: string, body: string, folder: string): Promise<CompiledSource> {
  const compile = await mjmlOf(path);
  const tags = new MjmlTags();
  const { html, errors = [] } = await compiled(compile, tags.mark(body), {
    filePath: path,
    validationLevel: 'soft',
    // Version 5 includes nothing unless asked to, and then only from the source's own folder and from `includePath`.
    ignoreIncludes: false,
    includePath: [resolve(folder)],
    // Runs for the source, whose tags are marked by now, and for each included file.
    preprocessors: [(text: string) => tags.mark(text, true)],
  });
  if (UNREAD.test(html)) return { ok: false, message: UNREAD_MESSAGE };
  const messages = errors.map((one) => one.formattedMessage ?? one.message ?? 'is no MJML');
  const problem = messages.find((message) => !isAboutTag(message));
  if (problem !== undefined) return { ok: false, message: tags.restore(problem) };
  const [lost, ...more] = tags.lostIn(html);
  if (lost !== undefined) return { ok: false, message: lostMessage(lost, more.length) };
  return { ok: true, html: tags.restore(html), text: null, meta: {} };
}

/** Version 5 leaves this comment in place of a file, and reports no error. */
const UNREAD = /<!-- mj-include denied -->/;
const UNREAD_MESSAGE =
  'an <mj-include> names a file that is missing, or that is not in the folder that is pushed.';

const NO_SIZE = 'cannot be a width or a padding, because MJML calculates with them.';

async function compiled(compile: Compile, text: string, options: object): Promise<MjmlResult> {
  try {
    return await compile(text, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`MJML fails: ${error.message}. A tag ${NO_SIZE}`);
  }
}

async function mjmlOf(path: string): Promise<Compile> {
  const file = projectPackage(path, 'mjml', 'npm install mjml');
  const loaded = (await import(pathToFileURL(file).href)) as { default: unknown };
  const outer = loaded.default as { default?: unknown };
  return (typeof outer === 'function' ? outer : outer.default) as Compile;
}

function lostMessage({ tag, line, isIncluded, isInAttribute }: MarkedTag, more: number): string {
  const place = isIncluded ? `line ${line} of an included file` : `line ${line}`;
  const others = more === 0 ? '' : `, and ${more} more`;
  const why = isInAttribute
    ? `A tag ${NO_SIZE}`
    : `Between its elements it keeps only what is in <mj-raw>: <mj-raw>${tag}</mj-raw>`;
  return `${place}: MJML drops ${tag}${others}. ${why}`;
}
