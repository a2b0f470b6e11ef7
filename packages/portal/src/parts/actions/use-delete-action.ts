import type { PlainPath } from '../../frame/link-target.ts';
import { useDelete } from '../../kit/delete.ts';
import { t } from '../../kit/translate.ts';
import type { StoredAction } from './stored-action.ts';

/** Deletes an action or automation after a confirmation; its runs stay. */
export function useDeleteAction(what: string, consequence: string, home: PlainPath) {
  const { ask, isPending } = useDelete('deleteAction', { staleAfter: ['listActions'], leadsTo: home });
  return {
    ask: ({ identifier, title }: Pick<StoredAction, 'identifier' | 'title'>) =>
      ask({
        input: { params: { action_identifier: identifier } },
        name: title || identifier,
        consequence,
        button: t('Delete the {what}', { what }),
      }),
    isPending,
  };
}
