import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';

/** Gives a conversation a title of its own. */
export function RenameDialog({
  isOpen,
  id,
  title,
  onClose,
}: {
  isOpen: boolean;
  id: string;
  title: string;
  onClose: () => void;
}) {
  const [text, setText] = useState(title);
  const toast = useToast();
  const rename = useChange('renameConversation', { staleAfter: ['listConversations', 'getConversation'] });
  const save = () =>
    rename
      .mutateAsync({ params: { conversation_identifier: id }, body: { title: text.trim() } })
      .then(onClose, (error: Error) => toast({ text: error.message, kind: 'failure' }));
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Rename the conversation')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <TextInput
            label={t('Title')}
            value={text}
            maxLength={200}
            data-autofocus
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={text.trim() === ''} data-operation="renameConversation">
              {t('Rename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
