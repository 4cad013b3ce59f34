/** What a server said, with its code once. */
export function said(code: number | null, message: string): string {
  return code === null || new RegExp(`^${code}(?![0-9])`).test(message) ? message : `${code} ${message}`;
}
