/**
 * Values put into a text in place of what stands for them: literally and in one pass, so that no value is looked through for
 * others. A short text that stands for a long one can be in a text a million times, so it is counted as it grows.
 */
import { ApiError } from '../../kit/http/errors.ts';

/** A body may not be larger, whatever is put into it. */
const MAX_CHARS = 2 * 1024 * 1024;
const TOO_LARGE = 'With its values filled in, a text is larger than 2 MiB.';

/** `valueFor`: undefined leaves what was found as it is. */
export function fillIn(
  text: string,
  pattern: RegExp,
  valueFor: (found: string) => string | undefined,
): string {
  let length = text.length;
  return text.replace(pattern, (found) => {
    const value = valueFor(found) ?? found;
    length += value.length - found.length;
    if (length > MAX_CHARS) throw new ApiError('PAYLOAD_TOO_LARGE', [], TOO_LARGE);
    return value;
  });
}
