/**
 * MJML and React Email to html, by the packages of the project that they belong to: the same versions as in its own preview, and
 * nothing that Postrider has to bring. They are looked for from the folder of the file.
 */
import type { CompiledSource } from './compiled-source.ts';
import { fromMjml } from './from-mjml.ts';
import { fromReact } from './from-react.ts';
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
/** Of a stack, or of the list of modules that asked for a missing one. */
const TRACE = /^(?:at\s|Require stack:|- \/)/;

/** What authors are told of an error of their own code: no stack and no code of others. */
function inOneLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !TRACE.test(line));
  return said.slice(0, 2).join(' ').slice(0, MAX_MESSAGE_CHARS);
}
