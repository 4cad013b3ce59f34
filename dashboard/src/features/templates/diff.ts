/** Differences line by line, and within lines word by word: by the longest common subsequence. */
interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A piece of a line. `changed`: the other line differs here. */
interface DiffPart {
  readonly text: string;
  readonly changed: boolean;
}

export interface ShownLine {
  readonly kind: DiffLine['kind'];
  readonly parts: readonly DiffPart[];
}

/** A line beside the line that replaces it; null where there is none. */
export interface DiffRow {
  readonly before: ShownLine | null;
  readonly after: ShownLine | null;
}

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
const MAX_WORDS = 400;
/** Lines of one place that are compared word by word. */
const MAX_PAIRS = 20;

/** Side by side, and with the words that differ: the removed and the added lines of one place are compared. */
export function diffRows(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    const old = comparedWith('removed', removed, added);
    const fresh = comparedWith('added', added, removed);
    for (let at = 0; at < Math.max(old.length, fresh.length); at += 1)
      rows.push({ before: old[at] ?? null, after: fresh[at] ?? null });
    removed = [];
    added = [];
  };
  for (const { kind, text } of diffLines(before, after)) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      const line: ShownLine = { kind, parts: [{ text, changed: false }] };
      rows.push({ before: line, after: line });
    }
  }
  flush();
  return rows;
}

function comparedWith(
  kind: 'removed' | 'added',
  lines: readonly string[],
  others: readonly string[],
): ShownLine[] {
  return lines.map((line, place) => ({
    kind,
    parts: wordParts(line, place < MAX_PAIRS ? others[place] : undefined),
  }));
}

/** The pieces of `line`, compared with `other`. A new or a very long line is one piece. */
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

/** The table of the algorithm grows with the square. */
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
