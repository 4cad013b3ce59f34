/** The path of a Chromium of the system, or null. */
export function findChromium(): string | null;
/** Debian's names of what is not installed. */
export function missingPrograms(): string[];
