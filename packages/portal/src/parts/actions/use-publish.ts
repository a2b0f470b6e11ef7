import { call, type InputOf } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { useToast } from '../toasts.tsx';
import { writtenOf } from './stored-action.ts';

/** Switches an action or automation on or off, as it is stored now. */
export function usePublish() {
  const replace = useChange('replaceAction', { staleAfter: ['listActions', 'getAction'] });
  const toast = useToast();
  const turn = async (identifier: string, isOn: boolean) => {
    const params = { action_identifier: identifier };
    try {
      const { action } = await call('getAction', { params });
      const body = { ...writtenOf(action), publish: isOn };
      await replace.mutateAsync({ params, body } as unknown as InputOf<'replaceAction'>);
      toast(`${action.title || identifier} is ${isOn ? 'on' : 'paused'}`);
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    }
  };
  return { turn, isPending: replace.isPending };
}
