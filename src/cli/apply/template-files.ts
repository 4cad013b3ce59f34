/** Reads template texts, from files in the folder of the file that names them only. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { PART_LIMITS } from '../../template-language/limits.ts';

type FoundText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** `named` is the path in the file at `from`. */
export async function readTemplateFile(from: string, named: string): Promise<FoundText> {
  if (isAbsolute(named)) return { ok: false, message: 'must be relative to the file that names it' };
  const folder = dirname(resolve(from));
  try {
    // Symbolic links are resolved first, because their target is what counts.
    const file = await realpath(resolve(folder, named));
    if (!file.startsWith((await realpath(folder)) + sep)) return { ok: false, message: OUTSIDE };
    const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!isFile) return { ok: false, message: `${named} is not a file` };
    if (size > PART_LIMITS.bytes)
      return { ok: false, message: `${named} has ${size} bytes; ${PART_LIMITS.bytes} are allowed` };
    return { ok: true, text: UTF8.decode(await readFile(file)) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: `${named} is not UTF-8 text` };
    return { ok: false, message: `${named} cannot be read: ${(error as Error).message}` };
  }
}

const OUTSIDE = 'leads out of the folder of the file that names it';
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
