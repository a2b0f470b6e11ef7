import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { whenOpened } from './when-opened.tsx';

export interface Question {
  /** Names what it is about and how many: "Delete 1,204 clusters". */
  readonly title: string;
  /** What follows from it. */
  readonly consequence: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  /** Has to be typed, for more than a hundred things or a whole blueprint. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  /** Where what follows is to be compared. */
  readonly isWide?: boolean;
}

const ConfirmDialog = whenOpened<{ question: Question | undefined; onEnd: (isYes: boolean) => void }>(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);

type Ask = (question: Question) => Promise<boolean>;

const Confirm = createContext<Ask>(async () => false);

/** Asks before what cannot be undone. What can be undone is done, with Undo in a toast. */
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

/** True where the person said yes. */
export function useConfirm(): Ask {
  return useContext(Confirm);
}
