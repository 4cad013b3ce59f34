/** The API takes ISO 8601; people have dates. */
export function momentText(moment: string | Date): string {
  return typeof moment === 'string' ? moment : moment.toISOString();
}
