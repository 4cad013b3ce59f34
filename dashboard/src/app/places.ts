/** The filters and the page of each list when the user left it, for the link back to the list. */
const searches = new Map<string, object>();

export function rememberPlace(pathname: string, search: object): void {
  searches.set(pathname, search);
}

export function placeIn(pathname: string): object {
  return searches.get(pathname) ?? {};
}

/** Another organization has other mail. */
export function forgetPlaces(): void {
  searches.clear();
}
