import { createContext, type ReactNode, useContext, useState } from 'react';
import { ForbiddenHelp } from '../../kit/forbidden-help.ts';
import { whenOpened } from '../../kit/when-opened.tsx';
import type { AccessQuestion } from './ask-dialog.tsx';
import { WhoCanGrant } from './who-can-grant.tsx';

const AskDialog = whenOpened<{ question: AccessQuestion | undefined; onClose: () => void }>(
  async () => (await import('./ask-dialog.tsx')).AskDialog,
);

const Ask = createContext<(question: AccessQuestion) => void>(() => {});

/** Holds the one dialog in which people ask for a right that they lack. */
export function AskForAccess({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<AccessQuestion>();
  const [isOpen, setOpen] = useState(false);
  return (
    <Ask
      value={(asked) => {
        setQuestion(asked);
        setOpen(true);
      }}
    >
      <ForbiddenHelp value={<WhoCanGrant />}>{children}</ForbiddenHelp>
      <AskDialog isOpen={isOpen} question={question} onClose={() => setOpen(false)} />
    </Ask>
  );
}

/** Opens the dialog about a right that the user lacks. */
export function useAskForAccess(): (question: AccessQuestion) => void {
  return useContext(Ask);
}
