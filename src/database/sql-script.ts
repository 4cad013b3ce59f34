/** A script of several statements, taken apart as far as it takes to see what each of them is. Pure. */

/**
 * Comments, texts (those with backslashes first), names in quotation marks, bodies between dollar signs; then words, which may have
 * dollar signs of their own; then the rest.
 */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:[^']|'')*'|"[^"]*"|\$((?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\1\$|\w[\w$]*|\s+|[\s\S]/g;

/** Each in one line, without comments and without the bodies of functions. */
export function statementsIn(script: string): string[] {
  return split(script, ';', shortened)
    .map(inOneLine)
    .filter((one) => one !== '');
}

/**
 * Each as it is written, with the comments before it; all together are the script, but for the semicolons. A function's body has to
 * be a text (`AS $$ … $$`): one of statements (`BEGIN ATOMIC`) would be taken apart, too.
 */
export function commandsIn(script: string): string[] {
  return split(script, ';', (token) => token).filter((one) => statementsIn(one).length > 0);
}

/** What stands between the commas that are in no parentheses. */
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
