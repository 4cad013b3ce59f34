/**
 * Compiles MJML and React Email to HTML with the project's own packages: the same versions as in its preview,
 * and no dependencies of Postrider. Packages are resolved from the file's folder.
 */

import { execFile } from 'node:child_process';
import { dirname, extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CompiledSource } from './compiled-source.ts';
import { fromMjml } from './from-mjml.ts';
import { projectPackage } from './project-package.ts';
import { ANSWER_MARK, type RenderAnswer } from './react-answer.ts';
import type { SourceLanguage } from './source-file.ts';

/** `folder` is pushed, and `path` is in it. */
export async function compileSource(
  path: string,
  what: SourceLanguage,
  body: string,
  folder: string,
): Promise<CompiledSource> {
  if (what === 'html' || what === 'hbs') return { ok: true, html: body, text: null, meta: {} };
  try {
    const compiled = what === 'mjml' ? await fromMjml(path, body, folder) : await fromReact(path);
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
