/** What is known of an event of an email when it is told: enough for every format. */
import type { Metadata, Tag } from '../../../emails/email.ts';
import type { MailOrigin } from '../../../emails/origin.ts';
import type { EventRow } from '../../../events/read.ts';

export interface MailFacts {
  readonly organizationId: string;
  readonly event: EventRow;
  readonly email: EmailFacts;
  /** Of the message that is sent, with its angle brackets. */
  readonly messageId: string;
  /** What the server replied, as in `550 5.1.1 No such user`; empty where none did. */
  readonly reply: string;
  /** What the reason means, in a sentence; empty where there is none. */
  readonly meaning: string;
  /** Whether the reason proves that nobody can be reached at the address: it is suppressed then. */
  readonly isDead: boolean;
  /** Whether the address is suppressed when this is told. */
  readonly isSuppressed: boolean;
  /** Of an open: whether there was none before. */
  readonly isFirstOpen: boolean;
}

export interface EmailFacts {
  readonly id: string;
  readonly batchId: string | null;
  readonly from: { readonly email: string; readonly name: string | null };
  readonly subject: string;
  readonly createdAt: Date;
  readonly isScheduled: boolean;
  readonly tags: readonly Tag[];
  readonly metadata: Metadata;
  readonly unsubscribeGroup: string | null;
  readonly templateId: string | null;
  readonly origin: MailOrigin;
}

/** The values of tags that stand for those of a service whose tags have no names: `tag`, `tag-2` and so on. */
export function valuesOfTag(tags: readonly Tag[], name: string): string[] {
  return tags.filter((tag) => tag.name.replace(/-\d+$/, '') === name).map(({ value }) => value);
}

/** Services whose metadata is text. */
export function metadataTexts(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
}
