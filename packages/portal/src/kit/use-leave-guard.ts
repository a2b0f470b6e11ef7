import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from './confirm.tsx';
import { t } from './translate.ts';

/**
 * Confirms leaving a screen with unsaved changes; tabs of the same screen do not count, as long as `keeps` finds the
 * changes on it. A function `isDirty` is evaluated at the moment of leaving.
 */
export function useLeaveGuard(
  isDirty: boolean | (() => boolean),
  what: string,
  keeps: (search: Readonly<Record<string, unknown>>) => boolean = () => true,
): void {
  const confirm = useConfirm();
  const hasChanges = () => (typeof isDirty === 'function' ? isDirty() : isDirty);
  useBlocker({
    enableBeforeUnload: hasChanges,
    shouldBlockFn: async ({ current, next }) => {
      if (!hasChanges() || (current.pathname === next.pathname && keeps(next.search))) return false;
      const isSure = await confirm({
        title: t('Leave without saving {what}', { what }),
        consequence: t('Your changes are lost.'),
        verb: t('Leave without saving'),
      });
      return !isSure;
    },
  });
}
