import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type AnswerOf, call, errorCode, type InputOf, type OperationName } from '../api/api.ts';
import { beginLeaving } from '../api/live.ts';
import { useRefresh } from '../api/query.ts';
import type { PlainPath } from '../frame/link-target.ts';
import { useConfirm } from './confirm.tsx';
import { useToast } from './toasts.tsx';
import { t } from './translate.ts';

/** A screen that is left after a deletion is gone within this time. */
const leaveMs = 2_000;

interface Settings {
  /** Reads to invalidate. */
  readonly staleAfter?: readonly OperationName[];
  /** The path to open after the deletion. */
  readonly leadsTo?: PlainPath;
}

interface Deletion<Name extends OperationName> {
  readonly input: InputOf<Name>;
  /** The name people see. */
  readonly name: string;
  readonly consequence: ReactNode;
  readonly verb?: string;
  /** The verb in the past, for the toast. */
  readonly past?: string;
  readonly title?: string;
  readonly button?: string;
  /** Text that the user has to type, for more than a hundred things or a whole blueprint. */
  readonly typed?: string;
  readonly done?: (answer: AnswerOf<Name>) => string;
  /** Input of a second request that deletes dependents too, sent after another confirmation. It has no Undo. */
  readonly withDependents?: InputOf<Name>;
  /** Reads the thing before it is deleted; returns the function that restores it. */
  readonly undo?: () => Promise<() => Promise<unknown>>;
}

/**
 * Deletes, revokes or disconnects a thing after a confirmation: shows a toast with Undo if possible, leaves its screen
 * and invalidates its reads. `ask` resolves to whether it was deleted.
 */
export function useDelete<Name extends OperationName>(operation: Name, { staleAfter = [], leadsTo }: Settings = {}) {
  const [isPending, setPending] = useState(false);
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toast = useToast();
  const refresh = useRefresh();
  const stay = useRef<() => void>(undefined);
  useEffect(() => () => stay.current?.(), []);

  const send = async (deletion: Deletion<Name>): Promise<boolean> => {
    const { name, verb = t('Delete'), past = 'deleted', input, withDependents, done } = deletion;
    let putBack = await deletion.undo?.();
    let text = t('{name} was {past}', { name, past });
    let answer: AnswerOf<Name>;
    try {
      answer = await call(operation, input);
    } catch (error) {
      if (!withDependents || errorCode(error) !== 'has_dependents') throw error;
      const isSureOfAll = await confirm({
        title: t('{verb} {name} and what requires it', { verb, name }),
        consequence: (error as Error).message,
        verb: t('{verb} them all', { verb }),
      });
      if (!isSureOfAll) return false;
      answer = await call(operation, withDependents);
      putBack = undefined;
      text = t('{name} and what required it were {past}', { name, past });
    }
    // leave the screen first: its reads would fail now
    if (leadsTo !== undefined) await navigate({ to: leadsTo });
    await refresh(staleAfter);
    const undo = putBack && (() => putBack().then(() => refresh(staleAfter)));
    toast({ text: done?.(answer) ?? text, ...(undo ? { undo } : {}) });
    return true;
  };

  const ask = async (deletion: Deletion<Name>): Promise<boolean> => {
    const { name, consequence, typed, verb = t('Delete'), title = `${verb} ${name}`, button = verb } = deletion;
    const isSure = await confirm({
      title,
      consequence,
      verb: button,
      operation: operation as string,
      ...(typed === undefined ? {} : { typed }),
    });
    if (!isSure) return false;
    setPending(true);
    try {
      if (leadsTo === undefined) return await send(deletion);
      stay.current = beginLeaving();
      const isDeleted = await send(deletion);
      // the screen goes a moment after its address
      if (isDeleted) setTimeout(stay.current, leaveMs);
      else stay.current();
      return isDeleted;
    } catch (error) {
      stay.current?.();
      toast({ text: (error as Error).message, kind: 'failure' });
      return false;
    } finally {
      setPending(false);
    }
  };
  return { ask, isPending };
}
