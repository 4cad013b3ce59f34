/** Splits the emails of one request, so that others get a turn while a thousand are stored. */
import { contentSize, type NewEmail } from '../emails/email.ts';

/** Putting the values of more than this together takes so long that others must get a turn in between. */
export const SLICE_EMAILS = 50;
const SLICE_BYTES = 256 * 1024;

export function slicesToStore(emails: readonly NewEmail[]): NewEmail[][] {
  const slices: NewEmail[][] = [];
  let slice: NewEmail[] = [];
  let bytes = 0;
  for (const email of emails) {
    const size = contentSize(email);
    if (slice.length === SLICE_EMAILS || (slice.length > 0 && bytes + size > SLICE_BYTES)) {
      slices.push(slice);
      slice = [];
      bytes = 0;
    }
    slice.push(email);
    bytes += size;
  }
  return slice.length > 0 ? [...slices, slice] : slices;
}
