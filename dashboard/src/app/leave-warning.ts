import { useBlocker } from '@tanstack/react-router';

/** Asks before what somebody wrote is lost, whichever way they leave. */
export function useLeaveWarning(changed: boolean): void {
  useBlocker({
    shouldBlockFn: () => changed && !confirm('Your changes are not saved. Discard them?'),
    enableBeforeUnload: () => changed,
    disabled: !changed,
  });
}
