/** For services with unnamed tags: `tag`, `tag-2`, …, with `index` from 0. */
export function numberedName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
