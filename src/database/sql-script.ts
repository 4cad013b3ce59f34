/** Splits a script into statements, just far enough to recognize each of them. Pure. */

/**
 * Comments, strings (those with backslash escapes first), quoted names, dollar-quoted bodies; then words, which may contain
 * dollar signs; then everything else.
 */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:[^']|'')*'|"[^"]*"|\$((?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\1\$|\w[\w$]*|\s+|[\s\S]/g;

/** Each on one line, without comments and function bodies. */
export function statementsIn(script: string): string[] {
  return split(script, ';', shortened)
    .map(inOneLine)
    .filter((one) => one !== '');
}

/**
 * Each as written, with the comments before it; together they are the script without the semicolons. A function's body must be
 * a string (`AS $$ … $$`): a `BEGIN ATOMIC` body would be split, too.
 */
export function commandsIn(script: string): string[] {
  return split(script, ';', (token) => token).filter((one) => statementsIn(one).length > 0);
}

/** Splits a list at the commas outside of parentheses. */
export function partsOf(list: string): string[] {
  return split(list, ',', shortened).map(inOneLine);
}

function split(text: string, separator: ';' | ',', written: (token: string) => string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += written(token);
  }
  return parts;
}

function inOneLine(part: string): string {
  return part.replace(/\s+/g, ' ').trim();
}

function shortened(token: string): string {
  if (token.startsWith('--') || token.startsWith('/*')) return ' ';
  return /^\$\w*\$/.test(token) ? '$$' : token;
}
