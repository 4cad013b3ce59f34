/**
 * Mail in the colours somebody wants to see it in, whatever those of their own screen are: what it asks about that is
 * answered in its own text, since a frame cannot be told.
 */
const ASKED = /\(\s{0,9}prefers-color-scheme\s{0,9}:\s{0,9}(dark|light)\s{0,9}\)/gi;

export function inColours(html: string, colours: 'light' | 'dark'): string {
  return html.replace(ASKED, (_, wanted: string) =>
    wanted.toLowerCase() === colours ? '(min-width: 0px)' : '(max-width: 0px)',
  );
}
