/**
 * Undoing an incident: a provider had an outage and permanently rejected mail that it would accept now. The bounces of a time
 * window go back into the queue, and the suppressions that they caused are lifted. Mail that was rejected since then because of
 * these suppressions goes back, too. Only store.ts writes the table `undos`.
 */
import type { EmailAddress } from '../../protocols/message/address.ts';

/** Selects bounces of one organization. Every given filter must match. */
export interface Incident {
  readonly organizationId: string;
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly templateId: string | null;
  /** `name` or `name:value`. */
  readonly tag: string | null;
  /** The provider or site of the recipient's domain. */
  readonly provider: string | null;
  /** Part of the server's reply, case-insensitive. */
  readonly reply: string | null;
}

/**
 * Why a recipient is left alone:
 *
 * - `not_bounced`   the bounce is no longer the recipient's last event: retried, undone or delivered since
 * - `content_gone`  the content was removed
 * - `suppressed`    the address is on the suppression list for another reason
 * - `other_mode`    it was accepted in the other mode, sandbox or live
 */
export const LEFT_ALONE = ['not_bounced', 'content_gone', 'suppressed', 'other_mode'] as const;
export type LeftAlone = (typeof LEFT_ALONE)[number];

export interface UndoneEvent {
  readonly id: string;
  readonly email_id: string;
  readonly position: number;
  readonly recipient: EmailAddress;
}

export type UndoStage = 'bounces' | 'rejections';

/** The reason in events of mail that goes back into the queue after a bounce or a suppression. */
export const BOUNCE_UNDONE = 'bounce_undone';
export const SUPPRESSION_UNDONE = 'suppression_undone';
