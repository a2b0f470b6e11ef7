import { useToast } from './toasts.tsx';

/** Runs a task and shows a toast with `done` or the error. True on success. */
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
