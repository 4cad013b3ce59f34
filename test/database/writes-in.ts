/** What a statement, or the body of a function, changes: taken from its text, as far as its parentheses tell. */

export interface Write {
  readonly table: string;
  /** Its own conditions, without those of subqueries. */
  readonly where: string;
}

const WRITE = /(?<!\b(?:FOR|KEY|DO) )\b(?:UPDATE|DELETE FROM)\s+(?:ONLY\s+)?(\w+)/gi;

export function writesIn(text: string): Write[] {
  const script = withoutComments(text);
  return [...script.matchAll(WRITE)].map((match) => {
    const own = withoutSubqueries(restOfLevel(script, match.index));
    return { table: match[1] as string, where: /\bWHERE\b([\s\S]*)/i.exec(own)?.[1] ?? '' };
  });
}

/** From `ON CONFLICT` on, as far as it says what is done then. */
export function conflictClauses(text: string): string[] {
  const script = withoutComments(text);
  return [...script.matchAll(/\bON CONFLICT\b/gi)].map((match) => restOfLevel(script, match.index));
}

/** Up to where the parenthesis around it closes, the statement ends, or what it returns is told. */
function restOfLevel(text: string, from: number): string {
  let depth = 0;
  for (const match of text.slice(from).matchAll(/[();]|\bRETURNING\b/gi)) {
    const [token] = match;
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && token !== ')')) return text.slice(from, from + match.index);
  }
  return text.slice(from);
}

function withoutSubqueries(text: string): string {
  const innermost = /\((?:\s*(?:SELECT|WITH)\b)[^()]*\)/gi;
  const plain = /\((?!\s*(?:SELECT|WITH)\b)([^()]*)\)/gi;
  let shorter = text;
  for (;;) {
    const next = shorter.replace(innermost, ' ').replace(plain, ' $1 ');
    if (next === shorter) return shorter;
    shorter = next;
  }
}

function withoutComments(text: string): string {
  return text.replace(/--[^\n]*/g, '');
}
