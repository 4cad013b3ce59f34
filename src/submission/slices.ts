/** How many emails are prepared in one turn: other work needs turns while a thousand emails are stored. */
import { contentSize, type NewEmail } from '../emails/email.ts';

/** Preparing the values of more emails than this takes so long that other work needs a turn in between. */
export const SLICE_EMAILS = 50;
const SLICE_BYTES = 256 * 1024;

/** The limit for one statement, which prepares all of its values in a single turn. */
export const AT_ONCE = { emails: 100, bytes: 1024 * 1024 } as const;

/** One email cannot be split, however large it is. Files of a batch and superseded emails are written before the emails. */
export function fitsAtOnce(emails: readonly NewEmail[]): boolean {
  if (emails.some((email) => email.batchAttachments.length > 0 || goesInSteps(email))) return false;
  if (emails.length <= 1) return true;
  if (emails.length > AT_ONCE.emails) return false;
  return emails.reduce((sum, email) => sum + contentSize(email), 0) <= AT_ONCE.bytes;
}

/** What this email supersedes, joins or repeats is written before it; a key's policy is checked before anything is written. */
export function goesInSteps({ collapseKey, terms, conversationId, options }: NewEmail): boolean {
  const isJoined = conversationId !== undefined || options.resent_from !== undefined;
  return collapseKey !== null || terms !== undefined || isJoined;
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
