/**
 * Cuts the source of a template into tokens with their offsets. The tokens cover the source without gaps, so edits are
 * splices and everything between them keeps its bytes. HTML is read by htmlparser2 and Handlebars by the server's scanner.
 */
import { Tokenizer } from 'htmlparser2';
import { scanTags, type TemplateTag } from '../../../../../src/template-language/scan.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Attribute {
  readonly name: string;
  /** Without the quotes; null for an attribute without a value. */
  readonly value: Range | null;
  readonly quote: '"' | "'" | '';
  readonly end: number;
}

/** Characters as they stand in the source, or one entity; `shown` is what readers see. */
export interface TextToken extends Range {
  readonly kind: 'text';
  readonly shown: string;
  readonly isEntity: boolean;
}

export interface TagToken extends Range {
  readonly kind: 'template';
  readonly tag: TemplateTag;
}

export interface OpenToken extends Range {
  readonly kind: 'open';
  readonly name: string;
  readonly nameEnd: number;
  readonly attributes: readonly Attribute[];
  /** Handlebars between the attributes: the attributes depend on the data. */
  readonly isConditional: boolean;
}

export interface CloseToken extends Range {
  readonly kind: 'close';
  readonly name: string;
}

/** Comments, declarations and whatever a browser ignores. */
export interface OtherToken extends Range {
  readonly kind: 'other';
}

export type Token = TextToken | TagToken | OpenToken | CloseToken | OtherToken;

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly tags: readonly TemplateTag[];
}

/** Null for a source with Handlebars tags that never end, or with more of them than a template may have. */
export function readTokens(source: string): Tokens | null {
  const { tags, exceeded, findings } = scanTags(source);
  if (exceeded !== null || findings.length > 0) return null;
  const reader = new Reader(source, tags);
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(masked(source, tags));
  tokenizer.end();
  return { tokens: reader.tokens, tags };
}

/** Quotes and angle brackets inside of Handlebars are no HTML. A letter also keeps `<{{name}}>` a tag. */
function masked(source: string, tags: readonly TemplateTag[]): string {
  let text = '';
  let at = 0;
  for (const { start, end } of tags) {
    text += source.slice(at, start) + 'x'.repeat(end - start);
    at = end;
  }
  return text + source.slice(at);
}

class Reader {
  readonly tokens: Token[] = [];
  readonly #source: string;
  readonly #html: string;
  readonly #tags: readonly TemplateTag[];
  /** The first Handlebars tag that no token contains yet. */
  #nextTag = 0;
  /** The end of the last token. */
  #at = 0;
  #name: Range = { start: 0, end: 0 };
  #attributes: Attribute[] = [];
  #attributeName: Range = { start: 0, end: 0 };

  constructor(source: string, tags: readonly TemplateTag[]) {
    this.#source = source;
    this.#html = masked(source, tags);
    this.#tags = tags;
  }

  ontext(start: number, end: number): void {
    this.#skipTo(start);
    while (this.#at < end) {
      const tag = this.#tags[this.#nextTag];
      if (tag && tag.start === this.#at) {
        this.#nextTag += 1;
        this.#push({ kind: 'template', start: tag.start, end: tag.end, tag });
      } else this.#pushText(Math.min(end, tag?.start ?? end));
    }
  }

  ontextentity(codePoint: number, end: number): void {
    const shown = String.fromCodePoint(codePoint);
    const last = this.tokens.at(-1);
    // Some entities are two characters, which are reported one after the other.
    if (end === this.#at && last?.kind === 'text')
      this.tokens[this.tokens.length - 1] = { ...last, shown: last.shown + shown };
    else this.#push({ kind: 'text', start: this.#at, end, shown, isEntity: true });
  }

  onopentagname(start: number, end: number): void {
    this.#skipTo(start - 1);
    this.#name = { start, end };
    this.#attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = { start, end };
  }

  onattribend(_quote: number, end: number): void {
    this.#attributes.push(attributeAt(this.#html, this.#attributeName, end));
  }

  onopentagend(end: number): void {
    this.#pushOpen(end + 1);
  }

  onselfclosingtag(end: number): void {
    this.#pushOpen(end + 1);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#source.slice(start, end).toLowerCase();
    const close = this.#html.indexOf('>', end);
    this.#push({ kind: 'close', start: this.#at, end: close < 0 ? this.#source.length : close + 1, name });
  }

  oncomment(_start: number, end: number): void {
    this.#skipTo(end + 1);
  }

  oncdata(_start: number, end: number): void {
    this.#skipTo(end + 1);
  }

  ondeclaration(_start: number, end: number): void {
    this.#skipTo(end + 1);
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#skipTo(end + 1);
  }

  onattribdata(): void {}

  onattribentity(): void {}

  onend(): void {
    this.#skipTo(this.#source.length);
  }

  #pushText(end: number): void {
    const shown = this.#source.slice(this.#at, end);
    this.#push({ kind: 'text', start: this.#at, end, shown, isEntity: false });
  }

  #pushOpen(end: number): void {
    const { start: nameStart, end: nameEnd } = this.#name;
    this.#push({
      kind: 'open',
      start: this.#at,
      end,
      name: this.#source.slice(nameStart, nameEnd).toLowerCase(),
      nameEnd,
      attributes: this.#attributes,
      isConditional: this.#hasTagsBetweenValues(end),
    });
  }

  #hasTagsBetweenValues(end: number): boolean {
    for (let at = this.#nextTag; (this.#tags[at]?.start ?? end) < end; at += 1) {
      const tag = this.#tags[at] as TemplateTag;
      if (!this.#attributes.some(({ value }) => value && value.start <= tag.start && tag.end <= value.end))
        return true;
    }
    return false;
  }

  /** Whatever was not reported until `end` is one locked token. */
  #skipTo(end: number): void {
    const last = Math.min(end, this.#source.length);
    if (last > this.#at) this.#push({ kind: 'other', start: this.#at, end: last });
  }

  #push(token: Token): void {
    this.tokens.push(token);
    this.#at = token.end;
    while ((this.#tags[this.#nextTag]?.start ?? Number.POSITIVE_INFINITY) < this.#at) this.#nextTag += 1;
  }
}

const BEFORE_VALUE = /\s*=\s*(["']?)/y;

function attributeAt(html: string, { start, end: nameEnd }: Range, end: number): Attribute {
  const name = html.slice(start, nameEnd).toLowerCase();
  BEFORE_VALUE.lastIndex = nameEnd;
  const found = BEFORE_VALUE.exec(html);
  // Without a value the tokenizer reports the end of the white space after the name.
  if (!found || BEFORE_VALUE.lastIndex > end) return { name, value: null, quote: '', end: nameEnd };
  const quote = (found[1] ?? '') as Attribute['quote'];
  const valueStart = BEFORE_VALUE.lastIndex;
  return { name, value: { start: valueStart, end: quote === '' ? end : end - 1 }, quote, end };
}
