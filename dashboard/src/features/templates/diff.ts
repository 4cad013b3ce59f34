/** Differences line by line, and within lines word by word: by the longest common subsequence. */
interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A piece of a line; `changed`: the other line has something else in its place. */
interface DiffPart {
  readonly text: string;
  readonly changed: boolean;
}

interface ShownLine {
  readonly kind: DiffLine['kind'];
  readonly parts: readonly DiffPart[];
}

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
const MAX_WORDS = 400;
/** Lines of one place that are held against each other word by word: what changed more than that was written anew. */
const MAX_PAIRS = 20;

/** With what changed within lines: the removed and the added lines of one place are held against each other. */
export function diffWithin(before: string, after: string): ShownLine[] {
  const shown: ShownLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    shown.push(...heldAgainst('removed', removed, added), ...heldAgainst('added', added, removed));
    removed = [];
    added = [];
  };
  for (const { kind, text } of diffLines(before, after)) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      shown.push({ kind, parts: [{ text, changed: false }] });
    }
  }
  flush();
  return shown;
}

function heldAgainst(
  kind: 'removed' | 'added',
  lines: readonly string[],
  others: readonly string[],
): ShownLine[] {
  return lines.map((line, place) => ({
    kind,
    parts: wordParts(line, place < MAX_PAIRS ? others[place] : undefined),
  }));
}

/** `line` in pieces, held against `other`. A line that is new as a whole, or too long, is one piece. */
function wordParts(line: string, other: string | undefined): DiffPart[] {
  const words = line.match(WORDS) ?? [];
  const others = other?.match(WORDS) ?? [];
  if (other === undefined || words.length > MAX_WORDS || others.length > MAX_WORDS)
    return [{ text: line, changed: false }];
  const parts: { text: string; changed: boolean }[] = [];
  for (const { kind, text } of diffWords(others, words)) {
    if (kind === 'removed') continue;
    const changed = kind === 'added';
    const last = parts.at(-1);
    if (last?.changed === changed) last.text += text;
    else parts.push({ text, changed });
  }
  return parts;
}

/** Beyond this the table of the algorithm would be too large for a browser's patience. */
const MAX_LINES = 2000;

export function diffLines(before: string, after: string): DiffLine[] {
  return diffWords(before.split('\n').slice(0, MAX_LINES), after.split('\n').slice(0, MAX_LINES));
}

function diffWords(a: readonly string[], b: readonly string[]): DiffLine[] {
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (right !== undefined && (left === undefined || at(common, i, j + 1) >= at(common, i + 1, j))) {
      lines.push({ kind: 'added', text: right });
      j += 1;
    } else if (left !== undefined) {
      lines.push({ kind: 'removed', text: left });
      i += 1;
    }
  }
  return lines;
}

function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = table[i] as Uint16Array;
    for (let j = b.length - 1; j >= 0; j -= 1)
      row[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
  }
  return table;
}

function at(table: readonly Uint16Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
