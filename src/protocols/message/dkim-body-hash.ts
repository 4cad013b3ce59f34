/**
 * The hash of a body in both canonical forms (RFC 6376, 3.4.3 and 3.4.4), in time slices because a body may
 * have 25 MB. Each form is computed once per message, and only when a signature needs it.
 */
import { createHash } from 'node:crypto';
import { Turns } from '../../runtime/turns.ts';

export type CanonicalForm = 'simple' | 'relaxed';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** Canonicalizing and hashing a piece takes 0.5 ms. */
const PIECE_BYTES = 64 * 1024;
const LINE_END = Buffer.from('\r\n');

export class BodyHashes {
  readonly #body: Buffer;
  readonly #known = new Map<CanonicalForm, Promise<string>>();

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** SHA-256 in base64. */
  of(form: CanonicalForm): Promise<string> {
    const known = this.#known.get(form);
    if (known !== undefined) return known;
    const hash = form === 'relaxed' ? relaxedHash(this.#body) : simpleHash(this.#body);
    this.#known.set(form, hash);
    return hash;
  }
}

/** The body unchanged, with empty lines at its end reduced to one. */
async function simpleHash(body: Buffer): Promise<string> {
  const turns = new Turns();
  const end = await contentEnd(body, false, turns);
  const hash = createHash('sha256');
  for (let from = 0; from < end; from += PIECE_BYTES) {
    hash.update(body.subarray(from, Math.min(end, from + PIECE_BYTES)));
    if (turns.isOver) await turns.next();
  }
  return hash.update(LINE_END).digest('base64');
}

/** Reduces runs of blanks to one space and removes them at line ends; an empty body stays empty. */
async function relaxedHash(body: Buffer): Promise<string> {
  const turns = new Turns();
  const end = await contentEnd(body, true, turns);
  const hash = createHash('sha256');
  const out = Buffer.allocUnsafe(PIECE_BYTES + 1);
  let isAfterBlank = false;
  for (let from = 0; from < end; from += PIECE_BYTES) {
    const to = Math.min(end, from + PIECE_BYTES);
    let length = 0;
    for (let at = from; at < to; at += 1) {
      const octet = body[at] as number;
      if (octet === SPACE || octet === TAB) isAfterBlank = true;
      else {
        if (isAfterBlank && !(octet === CR && body[at + 1] === LF)) out[length++] = SPACE;
        isAfterBlank = false;
        out[length++] = octet;
      }
    }
    hash.update(out.subarray(0, length));
    if (turns.isOver) await turns.next();
  }
  if (end > 0) hash.update(LINE_END);
  return hash.digest('base64');
}

/** The end of the last line that is not empty; with `isRelaxed`, trailing white space does not count. */
async function contentEnd(body: Buffer, isRelaxed: boolean, turns: Turns): Promise<number> {
  let end = body.length;
  for (let steps = 1; ; steps += 1) {
    while (isRelaxed && end > 0 && (body[end - 1] === SPACE || body[end - 1] === TAB)) {
      end -= 1;
      if (end % PIECE_BYTES === 0 && turns.isOver) await turns.next();
    }
    if (end < 2 || body[end - 1] !== LF || body[end - 2] !== CR) return end;
    end -= 2;
    if (steps % PIECE_BYTES === 0 && turns.isOver) await turns.next();
  }
}
