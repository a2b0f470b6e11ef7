import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorCode } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import type { StoredAction } from './stored-action.ts';

/**
 * Saves an action with a version check; after a conflict it fetches the other version for comparison. Without unsaved
 * input the base follows what others save.
 */
export function useActionSave(latest: StoredAction, isDirty: boolean) {
  const [{ base, round }, setFrom] = useState({ base: latest, round: 0 });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [conflict, setConflict] = useState<StoredAction>();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const toast = useToast();
  const begin = (from: StoredAction) => setFrom((before) => ({ base: from, round: before.round + 1 }));
  if (!isDirty && !isBusy && latest.updatedAt > base.updatedAt) begin(latest);
  const params = { action_identifier: base.identifier };
  /** `andThen` saves related things; if it fails, the error is shown and the action stays saved. */
  const save = async (
    draft: object,
    andThen?: (saved: StoredAction) => Promise<void>,
  ): Promise<StoredAction | undefined> => {
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const action = await replaced(draft);
      if (!action) return undefined;
      setFrom({ base: action, round });
      queries.setQueryData(['getAction', { params: { action_identifier: action.identifier } }], { ok: true, action });
      await refresh(['listActions']);
      try {
        await andThen?.(action);
        toast(t('{title} was saved', { title: action.title || action.identifier }));
        begin(action);
      } catch (caught) {
        setError(caught as Error);
      }
      return action;
    } finally {
      setBusy(false);
    }
  };
  const replaced = async (draft: object): Promise<StoredAction | undefined> => {
    try {
      const query = { expectedVersion: base.updatedAt };
      const input = { params, query, body: draft as never };
      return (await call('replaceAction', input)).action;
    } catch (caught) {
      if (errorCode(caught) !== 'stale_version') {
        setError(caught as Error);
        return undefined;
      }
      await call('getAction', { params }).then(
        ({ action }) => setConflict(action),
        (failure) => setError(failure as Error),
      );
      return undefined;
    }
  };
  return {
    base,
    /** Changes whenever the editor resets: after a save, or when others saved and there was no unsaved input. */
    round,
    save,
    isBusy,
    error,
    conflict,
    /** Takes the other version as the base and keeps the draft. */
    rebase: () => {
      if (conflict) setFrom({ base: conflict, round });
      setConflict(undefined);
    },
    reset: () => {
      setError(undefined);
      setConflict(undefined);
    },
  };
}
