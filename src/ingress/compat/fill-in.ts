/**
 * Replaces placeholders in a text with values, literally and in one pass, so that placeholders inside values
 * are not replaced. A short placeholder can occur a million times, so the size is checked while the text
 * grows.
 */
import { ApiError } from '../../http/errors.ts';

/** The maximum size of a body after replacement. */
export const MAX_FILLED_CHARS = 2 * 1024 * 1024;
const TOO_LARGE = 'with its values filled in, a text is larger than 2 MiB';

/** `field` contains the values in the request. */
export function filledTooLarge(field: string): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', [{ field, message: TOO_LARGE }], `${field}: ${TOO_LARGE}.`);
}

interface Filling {
  readonly pattern: RegExp;
  /** Undefined leaves the match unchanged. */
  readonly valueFor: (found: string) => string | undefined;
  /** The field of the request that contains the values. */
  readonly field: string;
}

/** A text too long for an email stays unchanged; the schema refuses it. */
export function fillIn(text: string, { pattern, valueFor, field }: Filling): string {
  let length = text.length;
  if (length > MAX_FILLED_CHARS) return text;
  return text.replace(pattern, (found) => {
    const value = valueFor(found) ?? found;
    length += value.length - found.length;
    if (length > MAX_FILLED_CHARS) throw filledTooLarge(field);
    return value;
  });
}
