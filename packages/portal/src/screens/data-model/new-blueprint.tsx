import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { keyFor } from '../../parts/json-value.ts';
import { issueAt, issuesOf } from '../../parts/refusal.ts';
import { blueprintAddress } from './addresses.ts';

/** Asks for the name alone; everything else is edited afterwards. */
export function NewBlueprint({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const create = useChange('createBlueprint', { staleAfter: ['listBlueprints', 'getSidebar', 'listPages'] });
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [key, setKey] = useState<string>();
  const identifier = key ?? keyFor(title);
  const issues = issuesOf(create.error);
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New blueprint">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(
            { body: { identifier, title: title.trim(), schema: { properties: {} } } },
            {
              onSuccess: () => {
                onClose();
                void navigate({ to: blueprintAddress(identifier), search: { tab: 'properties' } as never });
              },
            },
          );
        }}
      >
        <Stack>
          {create.error && (
            <Alert color="red" role="alert">
              {create.error.message}
            </Alert>
          )}
          <TextInput
            label="Title"
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
            value={title}
            error={issueAt(issues, 'title')}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <TextInput
            label="Identifier"
            description="What the API and other blueprints call it"
            required
            withAsterisk={false}
            maxLength={100}
            value={identifier}
            error={issueAt(issues, 'identifier')}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={title.trim() === '' || identifier === ''}>
              Create blueprint
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
