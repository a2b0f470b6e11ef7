import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';

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
}
type Ask = (question: Question) => Promise<boolean>;

const Confirm = createContext<Ask>(async () => false);

/** Asks before what cannot be undone. What can be undone is done, with Undo in a toast. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const answer = useRef<(isYes: boolean) => void>(() => {});
  const ask: Ask = (asked) =>
    new Promise((resolve) => {
      answer.current = resolve;
      setTyped('');
      setQuestion(asked);
      setOpen(true);
    });
  const end = (isYes: boolean) => {
    setOpen(false);
    answer.current(isYes);
  };
  const isReady = question?.typed === undefined || typed === question.typed;
  return (
    <Confirm value={ask}>
      {children}
      <Modal
        opened={isOpen}
        onClose={() => end(false)}
        title={question?.title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) end(true);
          }}
        >
          <Stack>
            <Text component="div">{question?.consequence}</Text>
            {question?.typed !== undefined && (
              <TextInput
                label={`Type ${question.typed} to go on`}
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => end(false)} data-autofocus>
                Cancel
              </Button>
              <Button type="submit" disabled={!isReady} color={question?.isDangerous === false ? 'indigo' : 'red'}>
                {question?.verb}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Confirm>
  );
}

/** True where the person said yes. */
export function useConfirm(): Ask {
  return useContext(Confirm);
}
