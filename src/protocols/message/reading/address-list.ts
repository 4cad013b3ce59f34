/**
 * Parses the addresses of a header field (RFC 5322, section 3.4): names, comments, quoted strings, routes and
 * groups, in one pass. The single address parser handles the addresses themselves.
 */
import { inTurns, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { type Address, type AddressProblem, parseAddress } from '../address.ts';
import { type HeaderText, oneLine } from '../unsafe-text.ts';
import { decodeHeaderText } from './encoded-words.ts';

const MAX_NAME_CHARS = 255;

export interface ListedMailbox {
  readonly address: Address | AddressProblem;
  /** The address as written, which need not be one. */
  readonly text: string;
  readonly name: HeaderText | null;
}

/** In order, and at most `most`. An unparseable entry is returned as its problem. */
export function readAddressList(text: string, most = Number.POSITIVE_INFINITY): ListedMailbox[] {
  const mailboxes: ListedMailbox[] = [];
  for (const mailbox of mailboxesIn(text)) {
    mailboxes.push(mailbox);
    if (mailboxes.length >= most) break;
  }
  return mailboxes;
}

export function readAddressListInTurns(text: string): Promise<ListedMailbox[]> {
  return inTurns(readingAddressList(text));
}

/** In slices, for long lists: an address beyond ASCII takes 10 µs. */
export function* readingAddressList(text: string): SlicedWork<ListedMailbox[]> {
  const mailboxes: ListedMailbox[] = [];
  for (const mailbox of mailboxesIn(text)) {
    mailboxes.push(mailbox);
    yield;
  }
  return mailboxes;
}

function* mailboxesIn(text: string): Generator<ListedMailbox> {
  const walk = new Walk(text);
  while (!walk.isOver) {
    const entry = walk.entry();
    if (entry !== null) yield entry;
  }
}

class Walk {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads up to a comma, the end of the group or the end; null for an empty entry. */
  entry(): ListedMailbox | null {
    let words = '';
    let comment = '';
    let angle: string | null = null;
    let isQuoted = false;
    while (!this.isOver) {
      const char = this.#text[this.#at] as string;
      if (char === ',' || char === ';') {
        this.#at += 1;
        break;
      }
      if (char === '"') {
        const [raw, content] = this.#quoted();
        // Before an @ the quoted string is part of an address, and stays as it is.
        words += this.#text[this.#at] === '@' ? raw : content;
        isQuoted = true;
      } else if (char === '(') comment = this.#comment();
      else if (char === '[') words += this.#until(']');
      // Two addresses in one entry are invalid, because the recipient would be ambiguous.
      else if (char === '<') angle = angle === null ? this.#angle() : `${angle} ${this.#angle()}`;
      else if (char === ':' && angle === null) {
        // The text so far was the name of a group.
        words = '';
        comment = '';
        this.#at += 1;
      } else {
        words += char;
        this.#at += 1;
      }
    }
    return entryOf(words.trim(), angle, comment, isQuoted);
  }

  /** Returns the raw and the decoded text. */
  #quoted(): [string, string] {
    const start = this.#at;
    let content = '';
    for (this.#at += 1; !this.isOver; this.#at += 1) {
      const char = this.#text[this.#at] as string;
      if (char === '"') break;
      if (char === '\\') this.#at += 1;
      content += this.#text[this.#at] ?? '';
    }
    this.#at += 1;
    return [this.#text.slice(start, this.#at), content];
  }

  #comment(): string {
    const start = this.#at + 1;
    let depth = 0;
    for (; !this.isOver; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === '\\') this.#at += 1;
      else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
      if (depth === 0) break;
    }
    this.#at += 1;
    return this.#text.slice(start, this.#at - 1);
  }

  #until(mark: string): string {
    const start = this.#at;
    const found = this.#text.indexOf(mark, start);
    this.#at = found < 0 ? this.#text.length : found + 1;
    return this.#text.slice(start, this.#at);
  }

  #angle(): string {
    this.#at += 1;
    let address = '';
    while (!this.isOver && this.#text[this.#at] !== '>') {
      if (this.#text[this.#at] === '"') address += this.#quoted()[0];
      else {
        address += this.#text[this.#at];
        this.#at += 1;
      }
    }
    this.#at += 1;
    // Drops an obsolete source route.
    return address.trim().replace(/^@[^:]*:/, '');
  }
}

function entryOf(
  words: string,
  angle: string | null,
  comment: string,
  isQuoted: boolean,
): ListedMailbox | null {
  if (angle !== null) return { address: parseAddress(angle), text: angle, name: nameOf(words) };
  if (words === '') return isQuoted ? { address: parseAddress('""'), text: '""', name: null } : null;
  return { address: parseAddress(words), text: words, name: nameOf(comment) };
}

function nameOf(text: string): HeaderText | null {
  return readableLine(text, MAX_NAME_CHARS) || null;
}

/** For fields read by people: decodes words, and makes the text one line that can be stored. */
export function readableLine(text: string, maxChars: number): HeaderText {
  return oneLine(decodeHeaderText(text.trim()).slice(0, maxChars).toWellFormed());
}
