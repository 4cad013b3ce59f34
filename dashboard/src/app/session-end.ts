/** A session that ends while somebody works: requests wait until that person has signed in again, or gives up. */
import { useSyncExternalStore } from 'react';

interface Waiting {
  readonly signedIn: Promise<boolean>;
  readonly settle: (isSignedIn: boolean) => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

/** False when the person does not sign in here. */
export function signedInAgain(): Promise<boolean> {
  waiting ??= begin();
  return waiting.signedIn;
}

export function settleSignIn(isSignedIn: boolean): void {
  waiting?.settle(isSignedIn);
  waiting = undefined;
  notify();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined);
}

function begin(): Waiting {
  let settle: Waiting['settle'] = () => undefined;
  const signedIn = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  queueMicrotask(notify);
  return { signedIn, settle };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
