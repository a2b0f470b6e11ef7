import type { InvocationEvents } from '@portolan/contract/invocation-stream';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { errorCode } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import type { DraftInputs } from './draft-inputs.ts';

type Run = AnswerOf<'getRun'>['run'];

const followMs = 2_000;
const finals = new Set(['SUCCESS', 'FAILURE', 'DECLINED']);

/**
 * A draft run and its progress. Decisions always send the hash of the inputs in `shown`. Inputs that someone else
 * edited stay in `changed` until the user accepts them as the ones to decide on.
 */
export function useDraft(request: InvocationEvents['approval_request']) {
  const { runId } = request;
  const [shown, setShown] = useState<DraftInputs>({
    entity: request.entity ?? null,
    properties: request.properties,
    inputsHash: request.inputsHash,
  });
  const [isFinal, setFinal] = useState(false);
  const input = { params: { run_id: runId }, query: { version: 'v2' } };
  const query = useRead('getRun', input, isFinal ? {} : { everyMs: followMs });
  const staleAfter = ['getRun', 'listRuns', 'listAffectedEntities'] as const;
  const decide = useChange('decideRun', { staleAfter: [...staleAfter] });
  const edit = useChange('editDraft', { staleAfter: [...staleAfter] });
  const run = query.data?.run;
  if (run && finals.has(run.status) && !isFinal) setFinal(true);
  const current = run && run.status === 'DRAFT' ? toDraftInputs(run) : undefined;
  const changed = current && current.inputsHash !== shown.inputsHash ? current : undefined;
  const rereadAfter = (error: Error) => {
    if (['draft_changed', 'draft_expired', 'run_ended'].includes(errorCode(error) ?? '')) void query.refetch();
  };
  return {
    shown,
    changed,
    query,
    run,
    isFinal,
    error: decide.error ?? edit.error,
    isBusy: decide.isPending || edit.isPending,
    takeChanged: () => {
      decide.reset();
      edit.reset();
      if (changed) setShown(changed);
    },
    decide: (status: 'APPROVE' | 'DECLINE', description: string) => {
      const body = { status, inputsHash: shown.inputsHash, ...(description ? { description } : {}) };
      decide.mutate({ params: { run_id: runId }, query: { version: 'v2' }, body }, { onError: rereadAfter });
    },
    edit: async (properties: Readonly<Record<string, unknown>>) => {
      decide.reset();
      try {
        const { run: edited } = await edit.mutateAsync({
          params: { run_id: runId },
          query: { version: 'v2' },
          body: { properties: { ...properties } },
        });
        const inputs = toDraftInputs(edited);
        if (inputs) setShown(inputs);
        return true;
      } catch (error) {
        rereadAfter(error as Error);
        return false;
      }
    },
  };
}

function toDraftInputs(run: Run): DraftInputs | undefined {
  if (!run.draft) return undefined;
  const { entity, properties, draft } = run;
  const identifier = typeof entity === 'string' ? entity : (entity?.identifier ?? null);
  return { entity: identifier, properties, inputsHash: draft.inputsHash };
}
