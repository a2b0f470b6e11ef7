import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { Conversation, SharedWith } from '@portolan/contract/conversations';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';

/** Shares a conversation up to its present end, or no longer. */
export function ShareDialog({
  isOpen,
  conversation,
  onClose,
}: {
  isOpen: boolean;
  conversation: Conversation;
  onClose: () => void;
}) {
  const { shared, identifier } = conversation;
  const [kind, setKind] = useState<SharedWith['with']>(shared?.with ?? 'private');
  const [users, setUsers] = useState(shared?.with === 'some' ? shared.users.join(', ') : '');
  const [teams, setTeams] = useState(shared?.with === 'some' ? shared.teams.join(', ') : '');
  const toast = useToast();
  const share = useChange('shareConversation', { staleAfter: ['listConversations'] });
  const save = () => {
    const body: SharedWith =
      kind === 'some' ? { with: 'some', users: named(users), teams: named(teams) } : { with: kind };
    return share
      .mutateAsync({ params: { conversation_identifier: identifier }, body })
      .then(onClose, (error: Error) => toast({ text: error.message, kind: 'failure' }));
  };
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Share the conversation')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <Text size="sm">
            {t(
              'Readers see it up to the last turn of now, and answers only if they may read what these were made from.',
            )}
          </Text>
          <Radio.Group
            label={t('Who may read it')}
            value={kind}
            onChange={(value) => setKind(value as SharedWith['with'])}
          >
            <Stack gap={4} mt={4}>
              <Radio value="private" label={t('Only you')} />
              <Radio value="organization" label={t('Everybody in the organization')} />
              <Radio value="some" label={t('Some people and teams')} />
            </Stack>
          </Radio.Group>
          {kind === 'some' && (
            <>
              <TextInput
                label={t('People, by email, with commas')}
                value={users}
                onChange={({ currentTarget }) => setUsers(currentTarget.value)}
              />
              <TextInput
                label={t('Teams, by identifier, with commas')}
                value={teams}
                onChange={({ currentTarget }) => setTeams(currentTarget.value)}
              />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" data-operation="shareConversation">
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function named(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
