/** Makes both from a build that is up to date; resolves with their tarballs. */
export function makePackages(folder: string): Promise<{ server: string; sdk: string }>;
