/** A script of several statements, taken apart as far as it takes to see what each of them is. Pure. */

/** Comments, texts, names in quotation marks, bodies between dollar signs; then what separates; then the rest. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[;,()]|[^-/'"$;,()]+|[\s\S]/g;

/** Each in one line, without comments and without the bodies of functions. */
export function statementsIn(script: string): string[] {
  return split(script, ';').filter((one) => one !== '');
}

/** What stands between the commas that are in no parentheses. */
export function partsOf(list: string): string[] {
  return split(list, ',');
}

function split(text: string, separator: ';' | ','): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += shortened(token);
  }
  return parts.map((part) => part.replace(/\s+/g, ' ').trim());
}

function shortened(token: string): string {
  if (token.startsWith('--') || token.startsWith('/*')) return ' ';
  return /^\$\w*\$/.test(token) ? '$$' : token;
}
