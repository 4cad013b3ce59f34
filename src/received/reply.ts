/** Derives the fields of a reply from a received mail. Pure. */
import { answerSubject } from '../protocols/message/subject.ts';
import type { WrittenAddress } from './received-email.ts';
import type { FullReceivedRow } from './store-read.ts';

/** Message-IDs that are safe to copy into a header. */
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/;
/** RFC 5322 recommends limiting the length; entries are dropped from the middle. */
const MAX_REFERENCES = 20;

export interface AnswerOutline {
  readonly from: WrittenAddress | null;
  readonly to: readonly WrittenAddress[];
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly receive_replies: boolean;
}

/** `from`: an address of the organization that may send; null if there is none. */
export function outlineOf(row: FullReceivedRow, from: WrittenAddress | null): AnswerOutline {
  return {
    from,
    to: answerTo(row),
    subject: answerSubject(row.subject ?? ''),
    headers: threadHeaders(row),
    // Mail to the sender's own domain may go to a mailbox elsewhere. Only a reply address ensures that the next answer returns
    // here.
    receive_replies: true,
  };
}

function answerTo({ details, from_email, from_name }: FullReceivedRow): readonly WrittenAddress[] {
  const asked = details?.reply_to ?? [];
  if (asked.length > 0) return asked.slice(0, 10);
  return from_email === null ? [] : [{ email: from_email, name: from_name }];
}

function threadHeaders({ message_id, details }: FullReceivedRow): Record<string, string> {
  if (message_id === null || !MESSAGE_ID.test(message_id)) return {};
  const before = (details?.references ?? []).filter((one) => MESSAGE_ID.test(one) && one !== message_id);
  const [first, ...rest] = before;
  const kept = first === undefined ? [] : [first, ...rest.slice(-(MAX_REFERENCES - 2))];
  return { 'In-Reply-To': message_id, References: [...kept, message_id].join(' ') };
}
