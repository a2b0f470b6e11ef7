import { Button, Group, Paper, Text } from '@mantine/core';
import { findProposedNote } from '@portolan/contract/proposed-note';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { t } from '../../kit/translate.ts';

/**
 * Offers to keep what the question asks to be remembered. It is taken from the question alone, never from the answer or
 * from what was read for it.
 */
export function NoteCard({ question, invocation }: { question: string; invocation: string }) {
  const note = findProposedNote(question);
  return note === undefined ? null : <Offer note={note} invocation={invocation} />;
}

function Offer({ note, invocation }: { note: string; invocation: string }) {
  const read = useRead('listMemories');
  const refresh = useRefresh();
  const attempt = useAttempt();
  const [isDismissed, dismiss] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { memories = [], memoryEnabled, isOn } = read.data ?? {};
  const content = note.replace(/\s+/g, ' ');
  if (isDismissed || !memoryEnabled || !isOn) return null;
  if (memories.some((each) => each.content === content))
    return (
      <Text size="sm" c="dimmed">
        {t('This is among your notes.')}
      </Text>
    );
  const keep = async () => {
    setBusy(true);
    await attempt(async () => {
      await call('createMemory', { body: { content, invocation } });
      await refresh(['listMemories']);
    }, t('The note was saved'));
    setBusy(false);
  };
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('A note to keep')}>
      <Text size="sm" fw={600}>
        {t('Shall the assistant remember this?')}
      </Text>
      <Text size="sm" dir="auto">
        {content}
      </Text>
      <Group gap={6} mt={6}>
        <Button size="compact-sm" data-operation="createMemory" onClick={() => void keep()} loading={isBusy}>
          {t('Remember it')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => dismiss(true)}>
          {t('No')}
        </Button>
      </Group>
    </Paper>
  );
}
