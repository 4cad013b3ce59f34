import type { SmtpPhase } from '../../protocols/smtp/facts.ts';

/** The content of a returned message. It never identifies the recipient; the token does. */
export type Report = DeliveryReport | Complaint | AutoReply | NonstandardBounce | Unreadable;

export type ReportAction = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';

/** RFC 3464 or 6533. Of several recipients this is the most important: failed before delayed before the rest. */
export interface DeliveryReport {
  kind: 'delivery_report';
  action: ReportAction;
  /** Enhanced status code, `5.1.1`. */
  status: string | null;
  smtpCode: number | null;
  /** The remote server's text, unfolded to one line. */
  diagnostic: string | null;
  remoteHost: string | null;
  /** The server that wrote the report, by its own statement. */
  reporter: string | null;
  recipient: string | null;
}

/** RFC 5965. */
export interface Complaint {
  kind: 'complaint';
  /** `abuse`, `fraud`, `virus`, `other`, `not-spam`, `opt-out` …, always lower case. */
  feedbackType: string;
  /** Postrider's signed reference, or else the return path, as found in the included message: raw, not verified. */
  reference: string | null;
  recipient: string | null;
}

/** Vacation notes, receipts, challenges: automatic replies, which report no problem. */
interface AutoReply {
  kind: 'auto_reply';
}

/** A bounce in free text. */
export interface NonstandardBounce {
  kind: 'nonstandard_bounce';
  /** The host that refused, and the phase of the session, if the text names them. */
  remoteHost: string | null;
  phase: SmtpPhase;
  status: string | null;
  smtpCode: number | null;
  diagnostic: string;
  /** The host of the sender. */
  reporter: string | null;
}

interface Unreadable {
  kind: 'unreadable';
  why: string;
}
