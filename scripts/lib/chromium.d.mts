/** The path of a Chromium of the system, or null. */
export function findChromium(): string | null;
export function provideChromium(root: string, say: (line: string) => void): Promise<void>;
