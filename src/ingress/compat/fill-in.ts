/**
 * Values put into a text in place of what stands for them: literally and in one pass, so that no value is looked through for
 * others. A short text that stands for a long one can be in a text a million times, so it is counted as it grows.
 */
import { ApiError } from '../../http/errors.ts';

/** A body may not be larger, whatever is put into it. */
export const MAX_FILLED_CHARS = 2 * 1024 * 1024;
const TOO_LARGE = 'with its values filled in, a text is larger than 2 MiB';

/** `field`: where the values stand in the request. */
export function filledTooLarge(field: string): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', [{ field, message: TOO_LARGE }], `${field}: ${TOO_LARGE}.`);
}

export interface Filling {
  readonly pattern: RegExp;
  /** Undefined leaves what was found as it is. */
  readonly valueFor: (found: string) => string | undefined;
  /** Where the values stand in the request. */
  readonly field: string;
}

/** A text that is too long for an email stays as it is: the schema refuses it. */
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
