import { useState } from 'react';
import type { OperationName } from '../api/api.ts';
import { useRefresh } from '../api/query.ts';
import { useCommands } from '../frame/commands.tsx';
import { useConfirm } from './confirm.tsx';
import { conflictQuestion } from './conflict-question.tsx';
import { useToast } from './toasts.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

interface DraftSettings<Draft, Answer> {
  /** What is stored, as it was last read. */
  readonly latest: Draft;
  /** As people call it: in the question about a conflict, and when they leave. */
  readonly name: string;
  /** What `name` holds, as in "Save the mapping"; absent where the name says it. */
  readonly guards?: string;
  /** What saving is called in the palette. */
  readonly command: string;
  /** What keeps it from being saved. */
  readonly problem?: string | undefined;
  /** What is stored now: asked before saving, since somebody else may have saved meanwhile. */
  readonly readNow?: () => Promise<{ readonly draft: Draft; readonly by?: string | undefined }>;
  /** Asked of the person before it is sent; false keeps it. */
  readonly isWanted?: (draft: Draft, base: Draft) => Promise<boolean>;
  readonly send: (draft: Draft) => Promise<Answer>;
  /** What the server made of it. */
  readonly savedOf: (answer: Answer) => Draft;
  readonly staleAfter: readonly OperationName[];
  readonly onSaved?: (answer: Answer) => void;
  readonly done: string | ((answer: Answer) => string);
}

/**
 * A document that is changed as a whole in this browser and saved at once. While nothing is typed it follows what others
 * save; who saves second sees both versions and decides. `mod+s` saves it.
 */
export function useStoredDraft<Draft, Answer>(settings: DraftSettings<Draft, Answer>) {
  const { latest, name, guards = name, problem, staleAfter } = settings;
  const [base, setBase] = useState(latest);
  const [draft, setDraft] = useState(latest);
  const [round, setRound] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const refresh = useRefresh();
  const confirm = useConfirm();
  const toast = useToast();
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
    /** Differs whenever the draft begins anew by being discarded. */
    round,
    isDirty,
    error,
    /** What a `SaveBar` is given. */
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
