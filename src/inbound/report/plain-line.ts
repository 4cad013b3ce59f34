const MAX_LINE = 1_000;

/** Converts untrusted text to one line, safe to store and display: no control or direction-changing characters. */
export function plainLine(text: string, max: number = MAX_LINE): string {
  return text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '?')
    .trim()
    .slice(0, max);
}
