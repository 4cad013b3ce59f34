/** What one idempotency key and one held email do, if everything happens one after the other. */
import type { Specification } from './linearize.ts';

export interface KeyedSend {
  readonly body: string;
}

/** `busy`: another request with the key is being carried out. `mismatch`: the key was used with another body. */
export type SendAnswer = { readonly id: string } | 'busy' | 'mismatch' | 'unavailable';

/** Null until the key is used. */
type KeyState = { readonly body: string; readonly id: string } | null;

/** One key, one email: each 201 has the same id, and another body is refused. */
export const idempotencyKey: Specification<KeyState, KeyedSend, SendAnswer> = {
  start: null,
  next(state, { body }, answer) {
    // A request without an answer may have been carried out; its id is unknown until another request learns it.
    if (answer === null || answer === 'unavailable' || answer === 'busy') return [state];
    if (answer === 'mismatch') return state !== null && state.body !== body ? [state] : [];
    if (state === null) return [{ body, id: answer.id }];
    return state.body === body && state.id === answer.id ? [state] : [];
  },
};

export type MailAction =
  | { readonly does: 'accept' }
  | { readonly does: 'hold' }
  | { readonly does: 'release' }
  | { readonly does: 'approve' }
  | { readonly does: 'reject' }
  | { readonly does: 'move'; readonly to: string }
  | { readonly does: 'deliver'; readonly cell: string };

interface MailState {
  readonly isAccepted: boolean;
  readonly isHeld: boolean;
  readonly approval: 'none' | 'waits' | 'approved' | 'rejected';
  readonly isDelivered: boolean;
  readonly cell: string;
}

/** One email: delivered once, not while it is held, not before it is approved, and only by the cell in which it lives. */
export function oneEmail(
  cell: string,
  approval: 'none' | 'waits' = 'none',
): Specification<MailState, MailAction, 'ok'> {
  return {
    start: { isAccepted: false, isHeld: false, approval, isDelivered: false, cell },
    next(state, action) {
      if (action.does === 'accept') return state.isAccepted ? [] : [{ ...state, isAccepted: true }];
      if (action.does === 'hold') return [{ ...state, isHeld: true }];
      if (action.does === 'release') return [{ ...state, isHeld: false }];
      if (action.does === 'move') return [{ ...state, cell: action.to }];
      if (action.does === 'approve')
        return state.approval === 'waits' ? [{ ...state, approval: 'approved' }] : [];
      if (action.does === 'reject')
        return state.approval === 'waits' ? [{ ...state, approval: 'rejected' }] : [];
      return mayDeliver(state, action.cell) ? [{ ...state, isDelivered: true }] : [];
    },
  };
}

function mayDeliver({ isAccepted, isHeld, isDelivered, approval, cell }: MailState, by: string): boolean {
  return (
    isAccepted && !isHeld && !isDelivered && (approval === 'none' || approval === 'approved') && by === cell
  );
}
