/**
 * MJML and React Email to html, by the packages of the project that they belong to: the same versions as in its own preview, and
 * nothing that Postrider has to bring. They are looked for from the folder of the file.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { SourceLanguage, TemplateMeta } from './source-file.ts';

export type CompiledSource =
  | { readonly ok: true; readonly html: string; readonly text: string | null; readonly meta: TemplateMeta }
  | { readonly ok: false; readonly message: string }
  /** A part of others, such as a component: nothing to send. */
  | { readonly ok: 'nothing' };

export async function compileSource(
  path: string,
  what: SourceLanguage,
  body: string,
): Promise<CompiledSource> {
  if (what === 'html' || what === 'hbs') return { ok: true, html: body, text: null, meta: {} };
  try {
    return what === 'mjml' ? await fromMjml(path, body) : await fromReact(path);
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

interface MjmlResult {
  readonly html: string;
  readonly errors?: readonly { readonly formattedMessage?: string; readonly message?: string }[];
}

/** Version 4 answers at once, version 5 with a promise. */
async function fromMjml(path: string, body: string): Promise<CompiledSource> {
  const loaded = await packageOf<{ default: unknown }>(path, 'mjml', 'npm install mjml');
  const outer = loaded.default as { default?: unknown };
  const compile = (typeof outer === 'function' ? outer : outer.default) as (
    text: string,
    options: object,
  ) => MjmlResult | Promise<MjmlResult>;
  const { html, errors = [] } = await compile(body, { filePath: path, validationLevel: 'soft' });
  const [first] = errors;
  if (first !== undefined)
    return { ok: false, message: first.formattedMessage ?? first.message ?? 'is no MJML' };
  return { ok: true, html, text: null, meta: {} };
}

/** In a process of its own, which reads TypeScript by the tsx of the project. */
async function fromReact(path: string): Promise<CompiledSource> {
  const loader = required(path, 'tsx', 'npm install --save-dev tsx');
  const react = required(path, 'react', 'npm install react');
  const render = required(path, '@react-email/render', 'npm install @react-email/render');
  const files = [path, react, render].map((file) => pathToFileURL(file).href);
  const argv = ['--import', pathToFileURL(loader).href, '--input-type=module', '-e', RENDER, ...files];
  const { stdout } = await run(process.execPath, argv, { maxBuffer: MAX_OUTPUT_BYTES, cwd: dirname(path) });
  const answer: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf(MARK) + MARK.length));
  if (answer === null) return { ok: 'nothing' };
  const { html, text, subject } = answer as { html: string; text: string; subject: string | null };
  return { ok: true, html, text, meta: subject === null ? {} : { subject } };
}

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** Whatever the project prints stands before it. */
const MARK = '\u0001postrider\u0001';

/**
 * Every property is its own placeholder: a component that shows `name` becomes a template with `{{name}}`. What CommonJS exports is
 * the default, or in it.
 */
const RENDER = `
const [file, react, render] = await Promise.all(process.argv.slice(1, 4).map((url) => import(url)));
const of = (module, name) => module[name] ?? module.default?.[name];
const outer = file.default;
const component = typeof outer === 'function' ? outer : outer?.default;
let answer = null;
if (typeof component === 'function') {
  const get = (_, name) => (typeof name === 'string' && name !== 'children' ? '{{' + name + '}}' : undefined);
  const props = new Proxy({}, { get });
  const element = of(react, 'createElement')(() => component(props));
  const html = await of(render, 'render')(element);
  const text = await of(render, 'render')(element, { plainText: true });
  const subject = of(file, 'subject');
  answer = { html, text, subject: typeof subject === 'string' ? subject : null };
}
process.stdout.write(${JSON.stringify(MARK)} + JSON.stringify(answer));
`;

async function packageOf<T>(path: string, name: string, install: string): Promise<T> {
  return (await import(pathToFileURL(required(path, name, install)).href)) as T;
}

function required(path: string, name: string, install: string): string {
  try {
    return createRequire(join(dirname(path), 'package.json')).resolve(name);
  } catch {
    throw new Error(`needs the package ${name}, which is not there: ${install}`);
  }
}
