import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from './confirm.tsx';

/** Asks before somebody leaves a screen with changes that are not saved. Tabs of the same screen are not left. */
export function useLeaveGuard(isDirty: boolean, what: string): void {
  const confirm = useConfirm();
  useBlocker({
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty || current.pathname === next.pathname) return false;
      const isSure = await confirm({
        title: `Leave without saving ${what}`,
        consequence: 'Your changes are lost.',
        verb: 'Leave without saving',
      });
      return !isSure;
    },
  });
}
