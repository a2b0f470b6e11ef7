import { useState } from 'react';
import type { OperationName } from '../api/api.ts';
import { useRefresh } from '../api/query.ts';
import { useCommands } from '../frame/commands.tsx';
import { useConfirm } from './confirm.tsx';
import { conflictQuestion } from './conflict-question.tsx';
import { useToast } from './toasts.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

interface DraftSettings<Draft, Answer> {
  /** The stored version, as last read. */
  readonly latest: Draft;
  /** The name people see, in the conflict dialog and when they leave. */
  readonly name: string;
  /** The document in words, as in "Save the mapping"; absent if `name` says it. */
  readonly guards?: string;
  /** The name of the save command in the palette. */
  readonly command: string;
  /** Why it cannot be saved, which may depend on the draft. */
  readonly problem?: string | ((draft: Draft) => string | undefined) | undefined;
  /** Reads the stored version before saving, since someone else may have saved in the meantime. */
  readonly readNow?: () => Promise<{ readonly draft: Draft; readonly by?: string | undefined }>;
  /** Confirms the save; false keeps the draft unsent. */
  readonly isWanted?: (draft: Draft, base: Draft) => Promise<boolean>;
  readonly send: (draft: Draft) => Promise<Answer>;
  /** The stored version in the answer of the server. */
  readonly savedOf: (answer: Answer) => Draft;
  readonly staleAfter: readonly OperationName[];
  readonly onSaved?: (answer: Answer) => void;
  readonly done: string | ((answer: Answer) => string);
}

/**
 * A document edited as a whole in the browser and saved at once. Without unsaved input it follows what others save;
 * after a conflict the user sees both versions and decides. `mod+s` saves.
 */
export function useStoredDraft<Draft, Answer>(settings: DraftSettings<Draft, Answer>) {
  const { latest, name, guards = name, staleAfter } = settings;
  const [base, setBase] = useState(latest);
  const [draft, setDraft] = useState(latest);
  const [round, setRound] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const refresh = useRefresh();
  const confirm = useConfirm();
  const toast = useToast();
  const problem = typeof settings.problem === 'function' ? settings.problem(draft) : settings.problem;
  const isDirty = problem !== undefined || !isSame(draft, base);
  const begin = (from: Draft) => {
    setBase(from);
    setDraft(from);
  };
  if (!isDirty && !isBusy && !isSame(latest, base)) begin(latest);
  useLeaveGuard(isDirty, guards);

  const mayReplace = async (): Promise<boolean> => {
    const now = await settings.readNow?.();
    if (now && !isSame(now.draft, base)) {
      const isSure = await confirm(conflictQuestion({ name, by: now.by, base, theirs: now.draft, mine: draft }));
      if (!isSure) return false;
    }
    return (await settings.isWanted?.(draft, base)) ?? true;
  };
  const send = async (): Promise<void> => {
    setError(undefined);
    try {
      const answer = await settings.send(draft);
      await refresh(staleAfter);
      settings.onSaved?.(answer);
      begin(settings.savedOf(answer));
      const { done } = settings;
      toast(typeof done === 'string' ? done : done(answer));
    } catch (caught) {
      setError(caught as Error);
    }
  };
  const save = async (): Promise<void> => {
    if (!isDirty || problem !== undefined || isBusy) return;
    setBusy(true);
    try {
      if (await mayReplace()) await send();
    } catch (caught) {
      toast({ text: (caught as Error).message, kind: 'failure' });
    } finally {
      setBusy(false);
    }
  };
  useCommands([{ id: 'draft.save', label: settings.command, keys: 'mod+s', run: () => void save() }]);
  return {
    draft,
    set: setDraft,
    base,
    /** Changes whenever the draft is reset. */
    round,
    isDirty,
    error,
    /** The props of a `SaveBar`. */
    bar: {
      isDirty,
      problem,
      isBusy,
      onSave: () => void save(),
      onDiscard: () => {
        setDraft(base);
        setRound(round + 1);
        setError(undefined);
      },
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
