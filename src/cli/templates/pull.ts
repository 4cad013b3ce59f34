/** `templates pull` writes the published templates as files for `templates push`. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { presentOf } from '../apply/current-state.ts';
import type { PresentEntry } from '../apply/entry.ts';
import { findHere } from '../apply/organization-plan.ts';
import { atPlace } from '../apply/target.ts';
import type { TranslationInput } from '../apply/template-translations.ts';
import { CliError, type CommandAnswer, type CommandContext, type Options } from '../command.ts';

/** A template compiled from one of these languages must be edited in its source. */
const COMPILED = ['mjml', 'tsx', 'jsx'];

export async function pull(
  context: CommandContext,
  folder: string,
  options: Options,
): Promise<CommandAnswer> {
  const present = await atPlace(context, options, async (place) => {
    const here = await findHere(place, options.org);
    const kinds = new Set(['template' as const]);
    return presentOf(place.open(here.id), { kinds, settings: [] }, context.clock.nowMs());
  });
  const files = new Map<string, string>();
  const compiled: string[] = [];
  for (const entry of present) {
    if (await isCompiled(folder, entry)) compiled.push(entry.name);
    else for (const [path, text] of filesOf(entry)) files.set(path, text);
  }
  await writeAll(folder, files, options.overwrite !== undefined);
  const left =
    compiled.length === 0
      ? []
      : [`Left alone, because they are compiled from files there: ${compiled.join(', ')}.`];
  return {
    json: { folder, files: [...files.keys()], left_alone: compiled },
    lines: [`Wrote ${files.size} files into ${folder}.`, ...left],
  };
}

function stemOf({ name, fields }: PresentEntry): string {
  const home = fields.kind === 'layout' ? 'layouts/' : fields.kind === 'partial' ? 'partials/' : '';
  return home + name;
}

async function isCompiled(folder: string, entry: PresentEntry): Promise<boolean> {
  for (const ending of COMPILED) if (await isThere(join(folder, `${stemOf(entry)}.${ending}`))) return true;
  return false;
}

function filesOf(entry: PresentEntry): Map<string, string> {
  const {
    name,
    kind: _,
    html,
    text,
    translations = [],
    layout,
    inline_css,
    subject,
    variable_schema = [],
  } = entry.fields;
  const stem = stemOf(entry);
  const rules = variable_schema as readonly unknown[];
  const files = new Map<string, string>([
    [
      `${stem}.yaml`,
      stringify({
        name,
        ...(subject === undefined ? {} : { subject }),
        ...(layout == null ? {} : { layout }),
        ...(inline_css === true ? { inline_css } : {}),
        ...(rules.length === 0 ? {} : { variable_schema: rules }),
      }),
    ],
  ]);
  const put = (at: string, body: unknown, ending: string) => {
    if (typeof body === 'string' && body !== '') files.set(`${at}.${ending}`, body);
  };
  put(stem, html, 'html');
  put(stem, text, 'txt');
  for (const one of translations as readonly TranslationInput[]) {
    const at = `${stem}.${one.locale}`;
    if (one.subject !== undefined) files.set(`${at}.yaml`, stringify({ subject: one.subject }));
    put(at, one.html, 'html');
    put(at, one.text, 'txt');
  }
  return files;
}

/** Writes all files or none: existing files are checked first. */
async function writeAll(
  folder: string,
  files: ReadonlyMap<string, string>,
  overwrites: boolean,
): Promise<void> {
  for (const path of overwrites ? [] : files.keys()) {
    if (await isThere(join(folder, path)))
      throw new CliError(`There is a ${path} in ${folder} already. Add --overwrite to replace it.`);
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
