/** How many emails are put together in one go: others must get a turn while a thousand are stored. */
import { contentSize, type NewEmail } from '../emails/email.ts';

/** Putting the values of more than this together takes so long that others must get a turn in between. */
export const SLICE_EMAILS = 50;
const SLICE_BYTES = 256 * 1024;

/** What is put together once, and not again and again as the slices of a large request are. */
export const AT_ONCE = { emails: 100, bytes: 1024 * 1024 } as const;

/** One email cannot be split, however large it is. What emails of a batch share, and what they supersede, is written before them. */
export function fitsAtOnce(emails: readonly NewEmail[]): boolean {
  if (emails.some((email) => email.batchAttachments.length > 0 || goesInSteps(email))) return false;
  if (emails.length <= 1) return true;
  if (emails.length > AT_ONCE.emails) return false;
  return emails.reduce((sum, email) => sum + contentSize(email), 0) <= AT_ONCE.bytes;
}

/** What it supersedes, or joins, is written before it; what its key's policy asks about is asked before anything is. */
export function goesInSteps({ collapseKey, terms, conversationId }: NewEmail): boolean {
  return collapseKey !== null || terms !== undefined || conversationId !== undefined;
}

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
