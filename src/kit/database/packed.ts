/**
 * Many long values as one binary parameter, cut up again by the statement with
 * `substring($1::bytea FROM start FOR size)`. In an array every quote of a text would be escaped here and read
 * character by character there, and every file written as hex: many times the work, twice the bytes.
 */
export interface Packed {
  readonly bytes: Buffer;
  /** SQL counts from one. Null, like its size, where there is no value. */
  readonly starts: readonly (number | null)[];
  readonly sizes: readonly (number | null)[];
}

/** To be read with `convert_from(…, 'UTF8')`. */
export function packTexts(texts: readonly (string | null)[]): Packed {
  return packBytes(texts.map((text) => (text === null ? null : Buffer.from(text, 'utf8'))));
}

export function packBytes(pieces: readonly (Buffer | null)[]): Packed {
  let next = 1;
  const starts = pieces.map((piece) => {
    const start = next;
    next += piece?.length ?? 0;
    return piece === null ? null : start;
  });
  const given = pieces.filter((piece) => piece !== null);
  return {
    bytes: given.length === 1 ? (given[0] as Buffer) : Buffer.concat(given),
    starts,
    sizes: pieces.map((piece) => piece?.length ?? null),
  };
}
