/** Prepares message bytes for DATA. */
import { isAscii } from 'node:buffer';
import type { SlicedWork } from '../../runtime/sliced-work.ts';

export interface DataBytes {
  /**
   * Ends with CRLF (or is empty), contains no bare CR or LF, and every line that starts with a dot has one
   * more.
   */
  readonly bytes: Buffer;
  readonly eightBit: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;
const LINE_WITH_DOT = Buffer.from('\n.');
/** Each takes two searches. */
const LINES_PER_STEP = 1_000;
const STEP_BYTES = 64 * 1024;

/**
 * The composer writes CRLF everywhere, so a normal message is only checked and returned unchanged. Other
 * input is rewritten: a bare CR or LF could end the message early at a lax server, and smuggle in another
 * one.
 */
export function* dotStuffing(wire: Buffer): SlicedWork<DataBytes> {
  const bytes = (yield* hasWholeLines(wire)) ? yield* addDots(wire) : yield* rewrite(wire);
  return { bytes, eightBit: !isAscii(wire) };
}

/** Whether every line ends in CRLF. Native searches are three times as fast as a loop over the bytes. */
function* hasWholeLines(wire: Buffer): SlicedWork<boolean> {
  let from = 0;
  for (let lines = 1; from < wire.length; lines += 1) {
    const cr = wire.indexOf(CR, from);
    if (cr === -1 || wire.indexOf(LF, from) !== cr + 1) return false;
    from = cr + 2;
    if (lines % LINES_PER_STEP === 0) yield;
  }
  return true;
}

/** A message without lines that start with a dot is returned unchanged. */
function* addDots(wire: Buffer): SlicedWork<Buffer> {
  let dots = wire[0] === DOT ? 1 : 0;
  for (let at = 0; at < wire.length; at += STEP_BYTES) {
    if (at > 0) yield;
    dots += countDots(wire, at);
  }
  if (dots === 0) return wire;
  const out = Buffer.allocUnsafe(wire.length + dots);
  let length = 0;
  if (wire[0] === DOT) out[length++] = DOT;
  for (let at = 0; at < wire.length; at += STEP_BYTES) {
    if (at > 0) yield;
    length = copyWithDots(wire, at, out, length);
  }
  return out;
}

/** Dots in the step that begins here. A line end is checked together with the following byte. */
function countDots(wire: Buffer, from: number): number {
  const part = wire.subarray(from, from + STEP_BYTES + 1);
  let dots = 0;
  for (let at = part.indexOf(LINE_WITH_DOT); at !== -1; at = part.indexOf(LINE_WITH_DOT, at + 1)) dots += 1;
  return dots;
}

function copyWithDots(wire: Buffer, from: number, out: Buffer, start: number): number {
  const part = wire.subarray(from, from + STEP_BYTES + 1);
  const end = Math.min(STEP_BYTES, wire.length - from);
  let length = start;
  let copied = 0;
  for (let at = part.indexOf(LINE_WITH_DOT); at !== -1; at = part.indexOf(LINE_WITH_DOT, at + 1)) {
    length += part.copy(out, length, copied, at + 1);
    out[length++] = DOT;
    copied = at + 1;
  }
  return length + part.copy(out, length, copied, end);
}

interface Rewriting {
  at: number;
  length: number;
  isLineStart: boolean;
}

function* rewrite(wire: Buffer): SlicedWork<Buffer> {
  // Each byte becomes at most two, plus a CRLF for an unfinished last line.
  const out = Buffer.allocUnsafe(wire.length * 2 + 2);
  const state: Rewriting = { at: 0, length: 0, isLineStart: true };
  while (state.at < wire.length) {
    if (state.at > 0) yield;
    rewriteUpTo(wire, Math.min(state.at + STEP_BYTES, wire.length), out, state);
  }
  if (!state.isLineStart) state.length += out.write('\r\n', state.length, 'latin1');
  return out.subarray(0, state.length);
}

function rewriteUpTo(wire: Buffer, until: number, out: Buffer, state: Rewriting): void {
  let { at, length, isLineStart } = state;
  for (; at < until; at += 1) {
    const byte = wire[at] as number;
    if (byte === CR || byte === LF) {
      if (byte === CR && wire[at + 1] === LF) at += 1;
      out[length++] = CR;
      out[length++] = LF;
      isLineStart = true;
      continue;
    }
    if (isLineStart && byte === DOT) out[length++] = DOT;
    out[length++] = byte;
    isLineStart = false;
  }
  state.at = at;
  state.length = length;
  state.isLineStart = isLineStart;
}
