import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import type { Question } from './confirm.types.ts';
import { whenOpened } from './when-opened.tsx';

const ConfirmDialog = whenOpened<{ question: Question | undefined; onEnd: (isYes: boolean) => void }>(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);

type Ask = (question: Question) => Promise<boolean>;

const Confirm = createContext<Ask>(async () => false);

/** Confirms irreversible actions. Reversible ones run at once and offer Undo. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<(isYes: boolean) => void>(() => {});
  const ask: Ask = (asked) =>
    new Promise((resolve) => {
      answer.current = resolve;
      setQuestion(asked);
      setOpen(true);
    });
  const end = (isYes: boolean) => {
    setOpen(false);
    answer.current(isYes);
  };
  return (
    <Confirm value={ask}>
      {children}
      <ConfirmDialog isOpen={isOpen} question={question} onEnd={end} />
    </Confirm>
  );
}

/** Resolves to true if confirmed. */
export function useConfirm(): Ask {
  return useContext(Confirm);
}
