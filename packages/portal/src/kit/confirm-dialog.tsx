import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Question } from './confirm.types.ts';
import { Dialog } from './dialog.tsx';
import { t } from './translate.ts';

/** The dialog itself, mounted anew for each question. */
export function ConfirmDialog({
  isOpen,
  question,
  onEnd,
}: {
  isOpen: boolean;
  question: Question | undefined;
  onEnd: (isYes: boolean) => void;
}) {
  const [typed, setTyped] = useState('');
  const isReady = question?.typed === undefined || typed === question.typed;
  return (
    <Dialog
      opened={isOpen}
      onClose={() => onEnd(false)}
      onExitTransitionEnd={() => setTyped('')}
      title={question?.title}
      size={question?.isWide ? 'xl' : 'md'}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onEnd(true);
        }}
      >
        <Stack>
          <Text component="div">{question?.consequence}</Text>
          {question?.typed !== undefined && (
            <TextInput
              label={t('Type {typed} to go on', { typed: question.typed })}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onEnd(false)} data-autofocus>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              disabled={!isReady}
              color={question?.isDangerous === false ? 'indigo' : 'red'}
              data-operation={question?.operation}
            >
              {question?.verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
