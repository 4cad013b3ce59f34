/** The parts of a draft that a key's policy does not allow, and their places. */
import type { AtRecipient } from './refused-recipients.ts';

/** The key's policy does not allow the draft. */
export interface PolicyRefused {
  readonly kind: 'policy_refused';
  readonly problems: readonly PolicyProblem[];
}

export interface PolicyProblem {
  readonly at: PolicyPlace;
  readonly message: string;
}

export type PolicyPlace =
  | AtRecipient['at']
  | { readonly recipient: number }
  /** The display name of a recipient. */
  | { readonly nameOf: AtRecipient['at'] | { readonly recipient: number } }
  | { readonly replyTo: number; readonly part?: 'email' | 'name' }
  | { readonly header: string }
  | 'from.email'
  | 'from.name'
  | 'content'
  | 'template'
  | 'attachments'
  | 'collapse_key';
