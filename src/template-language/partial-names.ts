/** Finds the partials used in a text without parsing it, so that they can be loaded. */
import { scanTags } from './scan.ts';

const PARTIAL = /^\{\{~?>\s*(?:"([^"]*)"|'([^']*)'|\[([^\]]*)\]|([^\s~}|(]+))/;

/** Without duplicates. The check reports unreadable names at their position. */
export function partialNames(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, start, end } of scanTags(source).tags) {
    if (kind !== 'other') continue;
    const found = PARTIAL.exec(source.slice(start, end));
    const name = found?.slice(1).find((group) => group !== undefined);
    if (name !== undefined) names.add(name);
  }
  return names;
}
