import { useBlocker } from '@tanstack/react-router';

/** Asks before unsaved changes are lost. Another tab of the same page keeps them. */
export function useLeaveWarning(changed: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      changed && current.pathname !== next.pathname && !confirm('Your changes are not saved. Discard them?'),
    enableBeforeUnload: () => changed,
    disabled: !changed,
  });
}
