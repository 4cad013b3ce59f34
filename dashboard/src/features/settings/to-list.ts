/** The entries of a text area: one per line, or separated by spaces or commas. */
export function toList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}
