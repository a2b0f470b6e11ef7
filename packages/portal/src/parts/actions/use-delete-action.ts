import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/query.ts';
import { useConfirm } from '../confirm.tsx';
import { useToast } from '../toasts.tsx';
import type { StoredAction } from './stored-action.ts';

/** Deletes an action or automation, once the person is sure; its runs stay. */
export function useDeleteAction(what: string, consequence: string, home: string) {
  const remove = useChange('deleteAction', { staleAfter: ['listActions'] });
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toast = useToast();
  const ask = async ({ identifier, title }: Pick<StoredAction, 'identifier' | 'title'>) => {
    const isSure = await confirm({ title: `Delete ${title || identifier}`, consequence, verb: `Delete the ${what}` });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ params: { action_identifier: identifier } });
      toast(`${title || identifier} was deleted`);
      await navigate({ to: home });
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    }
  };
  return { ask, isPending: remove.isPending };
}
