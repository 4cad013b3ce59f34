/** Parts of pages that are written by a script, between comments such as `<!-- simulator -->` and `<!-- /simulator -->`. */

/** `file` names the page in errors. */
export function replaceBlock(
  file: string,
  page: string,
  name: string,
  write: (current: string) => string,
): string {
  const pattern = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)\\n?(<!-- /${name} -->)`);
  if (!pattern.test(page)) throw new Error(`${file} has no block "${name}".`);
  return page.replace(pattern, (_, begin, current, end) => `${begin}${write(current)}\n${end}`);
}
