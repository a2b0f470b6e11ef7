import { call } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { t } from '../../kit/translate.ts';
import { toWritten } from './stored-action.ts';

/** Publishes or unpublishes an action or automation in its stored version. */
export function usePublish() {
  const replace = useChange('replaceAction', { staleAfter: ['listActions', 'getAction'] });
  const attempt = useAttempt();
  const turn = (identifier: string, isOn: boolean) =>
    attempt(
      async () => {
        const params = { action_identifier: identifier };
        const { action } = await call('getAction', { params });
        const body = { ...toWritten(action), publish: isOn };
        await replace.mutateAsync({ params, body: body as never });
        return action.title || identifier;
      },
      (name) => (isOn ? t('{name} is on', { name }) : t('{name} is paused', { name })),
    );
  return { turn, isPending: replace.isPending };
}
