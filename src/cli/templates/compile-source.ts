/**
 * Compiles MJML and React Email to HTML with the project's own packages: the same versions as in its preview,
 * and no dependencies of Postrider. Packages are resolved from the file's folder.
 */

import { execFile } from 'node:child_process';
import { dirname, extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CompiledSource } from './compiled-source.ts';
import { projectPackage } from './project-package.ts';
import { ANSWER_MARK, type RenderAnswer } from './react-answer.ts';
import type { SourceLanguage } from './source-file.ts';

export async function compileSource(
  path: string,
  what: SourceLanguage,
  body: string,
): Promise<CompiledSource> {
  if (what === 'html' || what === 'hbs') return { ok: true, html: body, text: null, meta: {} };
  try {
    const compiled = what === 'mjml' ? await fromMjml(path, body) : await fromReact(path);
    return compiled.ok === false ? { ...compiled, message: inOneLine(compiled.message) } : compiled;
  } catch (error) {
    return { ok: false, message: inOneLine(error instanceof Error ? error.message : String(error)) };
  }
}

const MAX_MESSAGE_CHARS = 400;
/** Lines of a stack, or of a list of requiring modules. */
const TRACE = /^(?:at\s|Require stack:|- \/)/;

/** Shows authors an error of their code in one line, without stack and foreign code. */
function inOneLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !TRACE.test(line));
  return said.slice(0, 2).join(' ').slice(0, MAX_MESSAGE_CHARS);
}

interface MjmlResult {
  readonly html: string;
  readonly errors?: readonly { readonly formattedMessage?: string; readonly message?: string }[];
}

/** Version 4 returns the result, version 5 a promise. */
type Compile = (text: string, options: object) => MjmlResult | Promise<MjmlResult>;

/**
 * Compiles MJML with the project's own `mjml`. MJML drops unknown elements, which must not happen to template
 * tags.
 */
async function fromMjml(path: string, body: string): Promise<CompiledSource> {
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

/**
 * Protects template tags from MJML. Each tag is replaced by a unique word: MJML would parse quotes and
 * brackets in it, and a dropped `{{/if}}` could not be identified. Pure.
 */
const TAG = /\{\{\{[\s\S]*?\}\}\}|\{\{~?!--[\s\S]*?--~?\}\}|\{\{[\s\S]*?\}\}/g;
const COMMENT = /^\{\{~?!/;
/** Parts that MJML may drop without changing the mail: comments and attribute definitions. */
const UNSHOWN = /<!--[\s\S]*?-->|<mj-(html-)?attributes\b[\s\S]*?<\/mj-\1attributes>/g;

interface MarkedSource {
  readonly text: string;
  readonly tags: readonly {
    readonly tag: string;
    readonly line: number;
    /** Whether MJML's output must contain the tag. */
    readonly isShown: boolean;
  }[];
}

export function markTags(source: string): MarkedSource {
  const unshown = [...source.matchAll(UNSHOWN)].map(({ index, 0: { length } }) => [index, index + length]);
  const tags: MarkedSource['tags'][number][] = [];
  let line = 1;
  let counted = 0;
  const text = source.replace(TAG, (tag, at: number) => {
    line += linesIn(source.slice(counted, at));
    counted = at;
    if (COMMENT.test(tag)) return '\n'.repeat(linesIn(tag));
    const isShown = !unshown.some(([from = 0, to = 0]) => from <= at && at < to);
    tags.push({ tag, line, isShown });
    return word(tags.length - 1);
  });
  return { text, tags };
}

export function lostTags({ tags }: MarkedSource, html: string): MarkedSource['tags'] {
  const kept = new Set([...html.matchAll(WORD)].map(([, number]) => Number(number)));
  return tags.filter(({ isShown }, index) => isShown && !kept.has(index));
}

export function restoreTags({ tags }: MarkedSource, text: string): string {
  return text.replace(WORD, (all, number: string) => tags[Number(number)]?.tag ?? all);
}

const WORD = /postrider-tag-(\d+)z/g;

function word(index: number): string {
  return `postrider-tag-${index}z`;
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
/** As source or as built code, like this file. */
const PROGRAM = fileURLToPath(new URL(`./render-react${extname(import.meta.url)}`, import.meta.url));

/** Renders React Email in a separate process, which reads TypeScript through the project's tsx. */
async function fromReact(path: string): Promise<CompiledSource> {
  const loader = projectPackage(path, 'tsx', 'npm install --save-dev tsx');
  const react = projectPackage(path, 'react', 'npm install react');
  const render = projectPackage(path, '@react-email/render', 'npm install @react-email/render');
  const files = [path, react, render].map((file) => pathToFileURL(file).href);
  const argv = ['--import', pathToFileURL(loader).href, PROGRAM, ...files];
  const answer = answerIn(await outputOf(argv, dirname(path)));
  if ('failure' in answer) return { ok: false, message: answer.failure };
  if ('nothing' in answer) return { ok: 'nothing' };
  const { html, text, subject } = answer;
  return { ok: true, html, text, meta: subject === null ? {} : { subject } };
}

/** The program's output, which on failure contains the reason. */
async function outputOf(argv: readonly string[], cwd: string): Promise<string> {
  const options = { maxBuffer: MAX_OUTPUT_BYTES, cwd, timeout: TIMEOUT_MS };
  try {
    return (await run(process.execPath, argv, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', killed = false } = error as Partial<Failed>;
    if (stdout.includes(ANSWER_MARK)) return stdout;
    if (killed) throw new Error(`was not rendered within ${TIMEOUT_MS / 1000} s.`);
    throw new Error(/^\w*Error\b.*$/m.exec(stderr)?.[0] ?? 'could not be rendered: its process ended early.');
  }
}

interface Failed {
  readonly stdout: string;
  readonly stderr: string;
  readonly killed: boolean;
}

/** The project's own output precedes the answer. */
function answerIn(stdout: string): RenderAnswer {
  const at = stdout.lastIndexOf(ANSWER_MARK);
  if (at === -1) throw new Error('could not be rendered: its process ended early.');
  return JSON.parse(stdout.slice(at + ANSWER_MARK.length)) as RenderAnswer;
}
