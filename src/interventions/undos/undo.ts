/**
 * Taking an incident back: a provider had a bad hour and refused mail for good that it would take now. The bounces of a
 * window of time go back into the queue, and the suppressions that came from them are lifted. So does mail that was
 * rejected since then, because of those suppressions. Only store.ts writes the table `undos`.
 */
import type { EmailAddress } from '../../protocols/message/address.ts';

/** Which bounces are meant. Those of one organization; each filter that is given must hold. */
export interface Incident {
  readonly organizationId: string;
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  readonly templateId: string | null;
  /** `name` or `name:value`. */
  readonly tag: string | null;
  /** A provider or a site that the recipient's domain belongs to. */
  readonly provider: string | null;
  /** Part of what the server said, in any letter case. */
  readonly reply: string | null;
}

/**
 * Why a recipient stays as it is:
 *
 * - `not_bounced`   what happened is no longer the last word on that recipient: retried, undone or delivered since
 * - `content_gone`  there is nothing left to send
 * - `suppressed`    the address is on the suppression list for another reason
 * - `other_mode`    it was accepted in the other mode, sandbox or live
 */
export const LEFT_ALONE = ['not_bounced', 'content_gone', 'suppressed', 'other_mode'] as const;
export type LeftAlone = (typeof LEFT_ALONE)[number];

/** What happened to a recipient, and is to be taken back. */
export interface UndoneEvent {
  readonly id: string;
  readonly email_id: string;
  readonly position: number;
  readonly recipient: EmailAddress;
}

export type UndoStage = 'bounces' | 'rejections';

/** What events of mail that goes back into the queue say: it had bounced, or was rejected as suppressed. */
export const BOUNCE_UNDONE = 'bounce_undone';
export const SUPPRESSION_UNDONE = 'suppression_undone';
