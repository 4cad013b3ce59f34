/**
 * Maps stack traces to `src/` by the source maps beside the built files. A map is read on the first error
 * from its file; Node's `--enable-source-maps` reads all of them at startup, which took a sixth of the API's
 * start time.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

export function mapStacks(): void {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file) ?? null;
  };
  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${mappedFrame(frame, mapOf)}`)].join('\n');
}

function mappedFrame(frame: NodeJS.CallSite, mapOf: (file: string) => SourceMap | null): string {
  const shown = String(frame);
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return shown;
  // Its lines and columns begin at 0.
  const found = mapOf(file)?.findEntry(line - 1, column - 1);
  if (found === undefined || !('originalSource' in found)) return shown;
  const source = new URL(found.originalSource, file).href;
  return shown.replace(
    `${file}:${line}:${column}`,
    () => `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`,
  );
}

/** Null without a map, as for packages. A broken map must not hide an error. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}

/** Node's format, with the code of its own errors. */
function titleOf(error: Error & { readonly code?: unknown }): string {
  const { code, name, message } = error;
  return typeof code === 'string' && code.startsWith('ERR_')
    ? `${name} [${code}]: ${message}`
    : Error.prototype.toString.call(error);
}
