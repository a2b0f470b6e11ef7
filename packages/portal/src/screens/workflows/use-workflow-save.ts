import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, call, errorCode } from '../../api/api.ts';
import { readKey, useRefresh } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import type { Definition } from './document/definition.ts';
import type { StoredWorkflow } from './workflow-things.ts';

/** Saves a workflow as a new version; if somebody saved in between, the other version is read for comparison. */
export function useWorkflowSave(latest: StoredWorkflow, isDirty: boolean) {
  const [base, setBase] = useState(latest);
  const [round, setRound] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [conflict, setConflict] = useState<StoredWorkflow>();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const toast = useToast();
  const isBehind = !isDirty && !isBusy && latest.version > base.version;
  if (isBehind) {
    setBase(latest);
    setRound(round + 1);
  }
  const params = { identifier: base.identifier };
  const save = async (draft: Definition, note?: string): Promise<StoredWorkflow | undefined> => {
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const query = { expectedVersion: String(base.version), ...(note ? { note } : {}) };
      const { workflow } = await call('replaceWorkflow', { params, query, body: draft } as never);
      setBase(workflow);
      setRound(round + 1);
      // what was read beside it, such as its triggers, stays until it is read again
      queries.setQueryData<AnswerOf<'getWorkflow'>>(
        readKey('getWorkflow', { params: { identifier: workflow.identifier } }),
        (read) => read && { ...read, workflow },
      );
      await refresh(['getWorkflow', 'listWorkflows', 'listWorkflowVersions', 'listSelfServiceTriggers']);
      const title = workflow.title || workflow.identifier;
      toast(
        workflow.version === base.version
          ? t('{title} is as it was: version {version}', { title, version: workflow.version })
          : t('{title} was saved as version {version}', { title, version: workflow.version }),
      );
      return workflow;
    } catch (caught) {
      if (errorCode(caught) !== 'version_changed') {
        setError(caught as Error);
        return undefined;
      }
      await call('getWorkflow', { params }).then(
        ({ workflow }) => setConflict(workflow),
        (failure) => setError(failure as Error),
      );
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    base,
    /** Changes where what is edited begins anew: after a save, or when others saved and nothing was changed here. */
    round,
    save,
    isBusy,
    error,
    conflict,
    /** Takes the other version as what is changed, and keeps the draft. */
    rebase: () => {
      if (conflict) setBase(conflict);
      setConflict(undefined);
    },
    reset: () => {
      setError(undefined);
      setConflict(undefined);
    },
  };
}
