/**
 * Compiles MJML and React Email to HTML with the project's own packages: the same versions as in its preview,
 * and no dependencies of Postrider. Packages are resolved from the file's folder.
 */
import type { CompiledSource } from './compiled-source.ts';
import { fromMjml } from './from-mjml.ts';
import { fromReact } from './from-react.ts';
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
