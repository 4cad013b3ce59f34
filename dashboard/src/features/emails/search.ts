/** What the list of emails is filtered by: it stands in the address, so that a search can be sent to somebody. */
const TEXTS = ['status', 'from_date', 'to_date', 'to', 'from', 'subject', 'tag', 'batch_id'] as const;

export type EmailSearch = { readonly page?: number } & { readonly [name in (typeof TEXTS)[number]]?: string };

export function emailSearch(search: Record<string, unknown>): EmailSearch {
  const kept: Record<string, unknown> = {};
  for (const name of TEXTS) {
    const value = search[name];
    if (value !== undefined && value !== null && value !== '') kept[name] = String(value);
  }
  if (Number.isInteger(search.page) && Number(search.page) > 1) kept.page = search.page;
  return kept;
}
