/**
 * The state of the check during its walk: the problems so far, the enclosing loops, the names in scope and
 * the preceding text.
 */
import type { AstNode, Hash } from './ast.ts';
import { PART_LIMITS } from './limits.ts';
import type { PartName, Path, PathOrigin, Place, ProblemCode, TemplateProblem } from './tree.ts';

/** A block that changes the meaning of names. */
type BlockScope = {
  /** The context's name in the data; null when it is not part of the data. */
  readonly base: string | null;
  readonly params: readonly string[];
  readonly isLoop: boolean;
};

const URL_START =
  /\b(?:href|src|action|formaction|background|poster|cite|xlink:href)\s{0,8}=\s{0,8}["']?\s{0,8}$/i;

export class CheckState {
  readonly problems: TemplateProblem[] = [];
  /** False for a misplaced tag and inside unknown blocks. */
  knowsSurroundings = true;
  /** The end of the text before the current tag. */
  textBefore = '';
  readonly #part: PartName;
  readonly #scopes: BlockScope[] = [];
  #origin: Place;
  /** Blocks below this index surround the partial and are invisible to it. */
  #floor = 0;

  constructor(part: PartName, origin: Place) {
    this.#part = part;
    this.#origin = origin;
  }

  add(code: ProblemCode, message: string, node: AstNode): void {
    const place = this.placeOf(node);
    const repeated = this.problems.some(
      (one) =>
        one.line === place.line &&
        one.column === place.column &&
        one.source === place.source &&
        one.message === message,
    );
    if (repeated || this.isFull) return;
    this.problems.push({ code, part: this.#part, message, ...place });
  }

  /** No further problem would be listed. */
  get isFull(): boolean {
    return this.problems.length >= PART_LIMITS.problems;
  }

  addHash(hash: Hash): void {
    const [first] = hash.pairs;
    const advice =
      first?.key === 'includeZero' ? 'write {{#if (ne value "")}}' : 'helpers take their values in order';
    this.add('not_supported', `Named arguments (${first?.key ?? ''}=…) are not supported: ${advice}.`, hash);
  }

  placeOf({ loc }: AstNode): Place {
    const { line, column } = loc.start;
    const { source } = this.#origin;
    const place =
      line > 1
        ? { line: this.#origin.line + line - 1, column: column + 1 }
        : { line: this.#origin.line, column: Math.max(1, this.#origin.column + column) };
    return source === undefined ? place : { ...place, source };
  }

  get part(): PartName {
    return this.#part;
  }

  /**
   * Runs `work` in a separate text, with its own positions and without the names of the surrounding blocks.
   */
  elsewhere<T>(source: string, work: () => T): T {
    const [origin, floor] = [this.#origin, this.#floor];
    this.#origin = { line: 1, column: 1, source };
    this.#floor = this.#scopes.length;
    try {
      return work();
    } finally {
      this.#origin = origin;
      this.#floor = floor;
    }
  }

  inside<T>(scope: BlockScope, work: () => T): T {
    this.#scopes.push(scope);
    try {
      return work();
    } finally {
      this.#scopes.pop();
    }
  }

  guessing(work: () => unknown): void {
    const before = this.knowsSurroundings;
    this.knowsSurroundings = false;
    work();
    this.knowsSurroundings = before;
  }

  inUrlStart(): boolean {
    return this.#part === 'html' && URL_START.test(this.textBefore);
  }

  get loops(): number {
    return this.#scopes.slice(this.#floor).filter((scope) => scope.isLoop).length;
  }

  /** How many `../` lead to the root of the data, or to a partial's context. */
  get depth(): number {
    return this.#scopes.length - this.#floor;
  }

  /** The block that defines `name`, counted outwards among blocks with parameters. */
  findParam(name: string): (Extract<PathOrigin, { kind: 'param' }> & { base: string | null }) | null {
    let level = 0;
    for (const scope of this.#scopes.slice(this.#floor).toReversed()) {
      if (scope.params.length === 0) continue;
      const index = scope.params.indexOf(name);
      if (index >= 0) return { kind: 'param', level, index, base: index === 0 ? scope.base : null };
      level += 1;
    }
    return null;
  }

  nameOf(base: string | null, parts: readonly string[]): Path['name'] {
    if (base === null) return null;
    const rest = parts.map((part) => (/^[^\s.[\]/]+$/.test(part) ? part : `[${part}]`)).join('.');
    return base === '' || rest === '' ? base + rest : `${base}.${rest}`;
  }

  baseAt(depth: number): string | null {
    if (depth >= this.#scopes.length) return '';
    return this.#scopes[this.#scopes.length - 1 - depth]?.base ?? null;
  }
}
