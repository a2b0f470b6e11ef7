import { useToast } from './toasts.tsx';

/** Does something and says how it went: `done` in a toast, or what kept it from being done. True where it was done. */
export function useAttempt() {
  const toast = useToast();
  return async <Result>(
    work: () => Promise<Result>,
    done?: string | ((result: Result) => string),
  ): Promise<boolean> => {
    try {
      const result = await work();
      if (done !== undefined) toast(typeof done === 'string' ? done : done(result));
      return true;
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
      return false;
    }
  };
}
