/** Which partials a text mentions, without reading it as a whole: to know what has to be looked up for it. */
import { scanTags } from './scan.ts';

const PARTIAL = /^\{\{~?>\s*(?:"([^"]*)"|'([^']*)'|\[([^\]]*)\]|([^\s~}|(]+))/;

/** Each once. What cannot be read is found by the check, at its place. */
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
