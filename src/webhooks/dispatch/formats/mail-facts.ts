/** The data about an email event for all formats. */
import type { Metadata, Tag } from '../../../emails/email.ts';
import type { MailOrigin } from '../../../emails/origin.ts';
import type { EventRow } from '../../../events/read.ts';

export interface MailFacts {
  readonly organizationId: string;
  readonly event: EventRow;
  readonly email: EmailFacts;
  /** The sent message's id, with angle brackets. */
  readonly messageId: string;
  /** The server's reply, such as `550 5.1.1 No such user`; empty without a reply. */
  readonly reply: string;
  /** The meaning of the reason in one sentence; empty without a reason. */
  readonly meaning: string;
  /** Whether the reason proves that the address is undeliverable, so that it is suppressed. */
  readonly isDead: boolean;
  /** Whether the address is suppressed when the message is composed. */
  readonly isSuppressed: boolean;
  readonly isFirstOpen: boolean;
}

interface EmailFacts {
  readonly id: string;
  readonly batchId: string | null;
  readonly from: { readonly email: string; readonly name: string | null };
  readonly subject: string;
  readonly createdAt: Date;
  readonly isScheduled: boolean;
  readonly tags: readonly Tag[];
  readonly stream: string;
  readonly metadata: Metadata;
  readonly unsubscribeGroup: string | null;
  readonly templateId: string | null;
  readonly origin: MailOrigin;
}

/** The values of the tags that represent a service's unnamed tags: `tag`, `tag-2` and so on. */
export function valuesOfTag(tags: readonly Tag[], name: string): string[] {
  return tags.filter((tag) => tag.name.replace(/-\d+$/, '') === name).map(({ value }) => value);
}

/** For services whose metadata values are strings. */
export function metadataTexts(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
}
