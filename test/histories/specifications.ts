/** What one idempotency key and one email do, if everything happens one after the other. */
import type { Call, Specification } from './linearize.ts';

export interface KeyedSend {
  readonly body: string;
}

/** `busy`: another request with the key is being carried out. `mismatch`: the key was used with another body. */
export type SendAnswer = { readonly id: string } | 'busy' | 'mismatch' | 'unavailable';

/** Null until the key is used. The id is unknown while no client got it. */
type KeyState = { readonly body: string; readonly id: string | null } | null;

/** One key, one email: each 201 has the same id, and another body is refused. */
export const idempotencyKey: Specification<KeyState, KeyedSend, SendAnswer> = {
  start: null,
  next(state, { body }, answer) {
    if (answer === 'busy') return [state];
    // It may have been carried out.
    if (answer === null || answer === 'unavailable')
      return state === null ? [null, { body, id: null }] : [state];
    if (answer === 'mismatch') return state !== null && state.body !== body ? [state] : [];
    if (state === null) return [{ body, id: answer.id }];
    return state.body === body && [null, answer.id].includes(state.id) ? [{ body, id: answer.id }] : [];
  },
};

/** One organization: only the cell in which it lives delivers its mail. The state is the name of that cell. */
export const oneOrganization: Specification<string, MailAction, MailAnswer> = {
  start: 'main',
  next(cell, action) {
    if (action.does === 'move') return [action.to];
    return action.does !== 'deliver' || action.cell === cell ? [cell] : [];
  },
};

export type MailAction =
  | { readonly does: 'accept' }
  | { readonly does: 'hold'; readonly hold: string }
  | { readonly does: 'release'; readonly hold: string }
  | { readonly does: 'discard'; readonly hold: string }
  | { readonly does: 'cancel' }
  | { readonly does: 'approve' }
  | { readonly does: 'reject' }
  | { readonly does: 'move'; readonly to: string }
  | { readonly does: 'deliver'; readonly cell: string }
  | { readonly does: 'read'; readonly status: string };

/** `refused`: a 409. A cancellation is refused once a worker has begun with the email, a decision once there is one. */
export type MailAnswer = 'ok' | 'refused';

export type MailCall = Call<MailAction, MailAnswer>;

interface MailState {
  readonly isAccepted: boolean;
  /** The holds in force that cover the email. */
  readonly holds: readonly string[];
  readonly approval: 'none' | 'waits' | 'approved' | 'rejected';
  /** How the email ended. A withdrawn email was cancelled, discarded or rejected. */
  readonly ended: 'no' | 'delivered' | 'withdrawn';
  /** Whether every reader sees how it ended. Workers record deliveries and discards a moment later. */
  readonly isRecorded: boolean;
  readonly cell: string;
}

type Does<Action> = Extract<MailAction, { readonly does: Action }>;
type Effects = {
  readonly [Action in MailAction['does']]: (state: MailState, action: Does<Action>) => MailState | null;
};

/** What each action makes of an email; null where the action cannot succeed in this state. */
const EFFECTS: Effects = {
  accept: (state) => (state.isAccepted ? null : { ...state, isAccepted: true }),
  hold: (state, { hold }) => ({ ...state, holds: [...state.holds, hold].toSorted() }),
  release: (state, { hold }) => without(state, hold),
  // Only mail that was accepted before is discarded.
  discard: (state, { hold }) =>
    without(state.isAccepted && state.ended === 'no' ? { ...state, ended: 'withdrawn' } : state, hold),
  cancel: (state) =>
    state.isAccepted && state.ended === 'no' ? { ...state, ended: 'withdrawn', isRecorded: true } : null,
  approve: (state) => (isUndecided(state) ? { ...state, approval: 'approved' } : null),
  reject: (state) =>
    isUndecided(state) ? { ...state, approval: 'rejected', ended: 'withdrawn', isRecorded: true } : null,
  move: (state, { to }) => ({ ...state, cell: to }),
  deliver: (state, { cell }) => (mayDeliver(state, cell) ? { ...state, ended: 'delivered' } : null),
  read: (state, { status }) =>
    mayRead(state, status) ? { ...state, isRecorded: state.isRecorded || isFinal(status) } : null,
};

/** One email: delivered once, not while it is held, not before it is approved, and only by the cell in which it lives. */
export function oneEmail(
  cell: string,
  approval: 'none' | 'waits' = 'none',
): Specification<MailState, MailAction, MailAnswer> {
  return {
    start: { isAccepted: false, holds: [], approval, ended: 'no', isRecorded: false, cell },
    next(state, action, answer) {
      if (answer === 'refused') return mayRefuse(state, action) ? [state] : [];
      const effect = EFFECTS[action.does] as (state: MailState, action: MailAction) => MailState | null;
      const then = effect(state, action);
      return then === null ? [] : [then];
    },
  };
}

function without(state: MailState, hold: string): MailState {
  return { ...state, holds: state.holds.filter((one) => one !== hold) };
}

function isUndecided({ isAccepted, approval }: MailState): boolean {
  return isAccepted && approval === 'waits';
}

function mayDeliver({ isAccepted, holds, ended, approval, cell }: MailState, by: string): boolean {
  const isApproved = approval === 'none' || approval === 'approved';
  return isAccepted && holds.length === 0 && ended === 'no' && isApproved && by === cell;
}

function isFinal(status: string): boolean {
  return status === 'delivered' || status === 'failed';
}

/** No reader sees an email go back from its end. */
function mayRead({ isAccepted, ended, isRecorded }: MailState, status: string): boolean {
  if (status === 'delivered') return ended === 'delivered';
  if (status === 'failed') return ended === 'withdrawn';
  return isAccepted && !isRecorded;
}

/** The client cannot see when a worker claims an email, so a cancellation may be refused at any time. */
function mayRefuse(state: MailState, { does }: MailAction): boolean {
  return does === 'cancel' || ((does === 'approve' || does === 'reject') && !isUndecided(state));
}
