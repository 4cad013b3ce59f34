/** How each list was filtered when somebody left it, so that the way back leads to the same page of it. */
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
