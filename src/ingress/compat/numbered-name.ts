/** For services whose tags have no names: `tag`, `tag-2`, … `index` from 0. */
export function numberedName(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
