/** Makes both from a build that is up to date; resolves with what is in `folder` then. */
export function makePackages(
  folder: string,
): Promise<{ server: string; sdk: string; sbom: string; checksums: string }>;

/** Whether a file of the repository belongs into the package. */
export function isToBePacked(file: string): boolean;
