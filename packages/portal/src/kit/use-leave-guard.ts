import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from './confirm.tsx';

/**
 * Asks before somebody leaves a screen with changes that are not saved. Tabs of the same screen are not left. As a function,
 * it is asked at the moment of leaving.
 */
export function useLeaveGuard(isDirty: boolean | (() => boolean), what: string): void {
  const confirm = useConfirm();
  const hasChanges = () => (typeof isDirty === 'function' ? isDirty() : isDirty);
  useBlocker({
    enableBeforeUnload: hasChanges,
    shouldBlockFn: async ({ current, next }) => {
      if (!hasChanges() || current.pathname === next.pathname) return false;
      const isSure = await confirm({
        title: `Leave without saving ${what}`,
        consequence: 'Your changes are lost.',
        verb: 'Leave without saving',
      });
      return !isSure;
    },
  });
}
