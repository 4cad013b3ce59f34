/**
 * Writes lines of text. Owns the written text and pending white space, which is output only before further
 * text, so that no line ends with white space and empty lines do not repeat.
 */

const GAP = '  ';
/** Limited, because blanks are processed again with every token. */
const MAX_BLANKS = 1_000;
/** Invisible spaces that fill preheaders; joiners are kept because scripts need them. */
const FILLERS = /\u00ad|\u034f|\u200b|\u2060|\ufeff/g;

export class TextWriter {
  readonly #lines: string[] = [];
  /** In pieces, because a line of a million words must not be copied for each of them. */
  #line: string[] = [];
  /** Line breaks pending before the next words. */
  #breaks = 0;
  /** Pending separator between the last words and the next on the same line. */
  #between = '';
  /** Trailing blanks of preformatted text, which count if text follows on the same line. */
  #blanks = '';
  readonly #prefixes: string[] = [];
  /** Replaces the innermost prefix once: the mark of a list item. */
  #mark: string | null = null;

  /** Running text: white space of any length is one space. */
  words(text: string): void {
    const clean = text.replace(FILLERS, '').replace(/[\s\u00a0]+/g, ' ');
    if (clean.startsWith(' ')) this.space();
    const body = clean.trim();
    if (body === '') return;
    this.#put(body);
    if (clean.endsWith(' ')) this.space();
  }

  /** Preformatted text. */
  verbatim(text: string): void {
    const lines = text.replace(/\r\n?/g, '\n').split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.lineBreak();
      const whole = this.#blanks + line;
      const body = whole.trimEnd();
      if (body !== '') this.#put(body);
      this.#blanks = whole.slice(body.length, body.length + MAX_BLANKS);
    }
  }

  /** Requires this many line breaks before the next text: 1 begins a line, 2 a paragraph. */
  atLeast(lineEnds: 1 | 2): void {
    this.#between = '';
    this.#blanks = '';
    if (this.#hasBegun) this.#breaks = Math.max(this.#breaks, lineEnds);
  }

  /** Adds one line break, like `<br>`; two make an empty line, and more have no effect. */
  lineBreak(): void {
    this.#between = '';
    this.#blanks = '';
    if (this.#hasBegun) this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  space(): void {
    if (this.#between === '') this.#between = ' ';
  }

  /** Separates two cells of a table. */
  gap(): void {
    this.#between = GAP;
  }

  indent(prefix: string, mark: string | null = null): void {
    this.#prefixes.push(prefix);
    if (mark !== null) this.#mark = mark;
  }

  outdent(): void {
    this.#prefixes.pop();
    this.#mark = null;
  }

  toString(): string {
    return [...this.#lines, this.#line.join('')].join('\n').trim();
  }

  get #hasBegun(): boolean {
    return this.#lines.length > 0 || this.#line.length > 0;
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#endLine();
    this.#line.push(this.#line.length === 0 ? this.#beginning() : this.#between, text);
    this.#between = '';
  }

  #endLine(): void {
    this.#lines.push(this.#line.join(''));
    if (this.#breaks > 1) this.#lines.push('');
    this.#line = [];
    this.#breaks = 0;
  }

  #beginning(): string {
    const outer = this.#prefixes.slice(0, -1).join('');
    const inner = this.#mark ?? this.#prefixes.at(-1) ?? '';
    this.#mark = null;
    return outer + inner;
  }
}
