/** What of a draft the policy of a key does not allow, and where in the draft it stands. */
import type { AtRecipient } from './refused-recipients.ts';

/** The key's policy does not allow it. */
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
