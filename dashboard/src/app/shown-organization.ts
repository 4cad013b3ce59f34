/**
 * The organization that this tab shows. The session belongs to all tabs, so another tab may switch it; every request
 * names what this tab shows, and the server refuses what would happen elsewhere.
 */
let shown: string | undefined;

export function shownOrganization(): string | undefined {
  return shown;
}

export function showOrganization(id: string | undefined): void {
  shown = id;
}
