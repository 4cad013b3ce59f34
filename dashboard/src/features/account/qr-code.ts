/**
 * A QR code (ISO/IEC 18004) of a short text: bytes, error correction level L, versions 1 to 10, which is 271 bytes. It is
 * all that setting up a second factor needs, and a phone reads it better than anybody types 32 letters.
 */
import { correctionOf } from './reed-solomon.ts';

export type Matrix = readonly (readonly boolean[])[];

/** Index is version − 1. All for level L. */
const TOTAL_CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CORRECTION_PER_BLOCK = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4];
const LAST_ALIGNMENT = [0, 18, 22, 26, 30, 34, 38, 42, 46, 50];

/** Null for a text that is too long. */
export function qrCode(text: string): Matrix | null {
  const bytes = new TextEncoder().encode(text);
  const version = TOTAL_CODEWORDS.findIndex((_, index) => bytes.length <= roomFor(index + 1)) + 1;
  if (version === 0) return null;
  const codewords = interleaved(dataCodewords(bytes, version), version);
  const masks = Array.from({ length: 8 }, (_, mask) => draw(codewords, version, mask));
  return masks.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

function dataSize(version: number): number {
  const index = version - 1;
  return (TOTAL_CODEWORDS[index] ?? 0) - (CORRECTION_PER_BLOCK[index] ?? 0) * (BLOCKS[index] ?? 0);
}

/** What is left beside the mode and the length. */
function roomFor(version: number): number {
  return dataSize(version) - (version < 10 ? 2 : 3);
}

function dataCodewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const room = dataSize(version) * 8;
  push(0, Math.min(4, room - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** Blocks side by side, so that a scratch spreads over all of them. Later blocks may be one longer. */
function interleaved(data: readonly number[], version: number): number[] {
  const blocks = BLOCKS[version - 1] ?? 1;
  const correction = CORRECTION_PER_BLOCK[version - 1] ?? 0;
  const short = Math.floor(data.length / blocks);
  const longer = data.length % blocks;
  const parts: number[][] = [];
  for (let block = 0, start = 0; block < blocks; block += 1) {
    const length = short + (block >= blocks - longer ? 1 : 0);
    parts.push(data.slice(start, start + length));
    start += length;
  }
  const corrections = parts.map((part) => correctionOf(part, correction));
  const column = (lists: readonly (readonly number[])[], place: number) =>
    lists.flatMap((list) => (place < list.length ? [list[place] ?? 0] : []));
  const columns = (lists: readonly (readonly number[])[], count: number) =>
    Array.from({ length: count }, (_, place) => column(lists, place)).flat();
  return [...columns(parts, short + 1), ...columns(corrections, correction)];
}

/** Null: still free for data. */
type Canvas = (boolean | null)[][];

function draw(codewords: readonly number[], version: number, mask: number): boolean[][] {
  const size = version * 4 + 17;
  const canvas: Canvas = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  drawPatterns(canvas, version);
  drawFormat(canvas, mask);
  if (version >= 7) drawVersion(canvas, version);
  drawData(canvas, codewords, mask);
  return canvas.map((row) => row.map((dark) => dark === true));
}

function set(canvas: Canvas, x: number, y: number, dark: boolean): void {
  const row = canvas[y];
  if (row && x >= 0 && x < row.length) row[x] = dark;
}

function drawPatterns(canvas: Canvas, version: number): void {
  const size = canvas.length;
  for (let place = 0; place < size; place += 1) {
    set(canvas, 6, place, place % 2 === 0);
    set(canvas, place, 6, place % 2 === 0);
  }
  for (const [x, y] of [[3, 3] as const, [size - 4, 3] as const, [3, size - 4] as const]) {
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(canvas, x + dx, y + dy, ring !== 2 && ring !== 4);
      }
  }
  const places = alignmentPlaces(version);
  for (const x of places)
    for (const y of places) {
      const onFinder = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!onFinder) drawAlignment(canvas, x, y);
    }
}

function alignmentPlaces(version: number): number[] {
  const last = LAST_ALIGNMENT[version - 1] ?? 0;
  if (version === 1) return [];
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

function drawAlignment(canvas: Canvas, x: number, y: number): void {
  for (let dy = -2; dy <= 2; dy += 1)
    for (let dx = -2; dx <= 2; dx += 1)
      set(canvas, x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
}

/** The level (L is 01) and the mask, twice, with bits of their own to fix them. */
function drawFormat(canvas: Canvas, mask: number): void {
  const size = canvas.length;
  const data = (0b01 << 3) | mask;
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412;
  const bit = (place: number) => ((bits >> place) & 1) === 1;
  for (let place = 0; place <= 5; place += 1) set(canvas, 8, place, bit(place));
  set(canvas, 8, 7, bit(6));
  set(canvas, 8, 8, bit(7));
  set(canvas, 7, 8, bit(8));
  for (let place = 9; place < 15; place += 1) set(canvas, 14 - place, 8, bit(place));
  for (let place = 0; place < 8; place += 1) set(canvas, size - 1 - place, 8, bit(place));
  for (let place = 8; place < 15; place += 1) set(canvas, 8, size - 15 + place, bit(place));
  set(canvas, 8, size - 8, true);
}

function drawVersion(canvas: Canvas, version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25);
  for (let place = 0; place < 18; place += 1) {
    const far = canvas.length - 11 + (place % 3);
    const near = Math.floor(place / 3);
    set(canvas, far, near, ((bits >> place) & 1) === 1);
    set(canvas, near, far, ((bits >> place) & 1) === 1);
  }
}

function remainder(data: number, length: number, divisor: number): number {
  let rest = data;
  for (let step = 0; step < length; step += 1) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor);
  return rest;
}

/** Two columns at a time from the right, up and down in turns, around the timing column. */
function drawData(canvas: Canvas, codewords: readonly number[], mask: number): void {
  const size = canvas.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1)
      for (let side = 0; side < 2; side += 1) {
        const x = right - side;
        const y = upwards ? size - 1 - step : step;
        if (canvas[y]?.[x] !== null) continue;
        const dark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
        set(canvas, x, y, dark !== isMasked(mask, x, y));
      }
  }
}

function isMasked(mask: number, x: number, y: number): boolean {
  const product = x * y;
  const rules = [
    (x + y) % 2,
    y % 2,
    x % 3,
    (x + y) % 3,
    (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
    (product % 2) + (product % 3),
    ((product % 2) + (product % 3)) % 2,
    (((x + y) % 2) + (product % 3)) % 2,
  ];
  return rules[mask] === 0;
}

/** Long runs and an uneven share of dark are hard to read; any mask is valid, so the two rules that matter most do. */
function penalty(matrix: Matrix): number {
  const columns = matrix.map((_, x) => matrix.map((row) => row[x] === true));
  const runs = [...matrix, ...columns].reduce((sum, line) => sum + runsOf(line), 0);
  const dark = matrix.flat().filter(Boolean).length;
  return runs + Math.abs((dark * 20) / matrix.length ** 2 - 10) * 10;
}

function runsOf(line: readonly boolean[]): number {
  let sum = 0;
  let length = 0;
  for (let place = 0; place < line.length; place += 1) {
    length = line[place] === line[place - 1] ? length + 1 : 1;
    if (length === 5) sum += 3;
    if (length > 5) sum += 1;
  }
  return sum;
}
