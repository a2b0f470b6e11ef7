import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useDelete } from '../../kit/delete.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { EmptyState, Reading } from '../../parts/states.tsx';
import surfaces from '../../parts/surfaces.module.css';
import { useToast } from '../../parts/toasts.tsx';

type Secret = AnswerOf<'listSecrets'>['secrets'][number];

/** The names of what is sealed; no value is ever shown. */
export function Screen() {
  const reading = useRead('listSecrets');
  const [edited, setEdited] = useState<Secret | null>();
  const remove = useDelete('deleteSecret', { staleAfter: ['listSecrets'] });
  const ask = (name: string) =>
    remove.ask({
      input: { params: { secret_name: name } },
      name,
      title: `Delete the secret ${name}`,
      consequence: 'Actions and webhooks that use it fail from now on. This cannot be undone.',
    });
  return (
    <Stack gap="md" maw={860}>
      <PageHeader
        title="Secrets"
        description="Actions and webhooks use them by name. A value is sealed when it arrives, and never shown again."
        actions={
          <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
            New secret
          </Button>
        }
      />
      <section aria-label="Stored secrets">
        <Reading of={reading}>
          {({ secrets }) =>
            secrets.length === 0 ? (
              <EmptyState title="There is no secret">
                Store one for the back end of an action, such as a token.
              </EmptyState>
            ) : (
              <ul className={surfaces.list} aria-label="Secrets">
                {secrets.map((secret) => (
                  <li key={secret.secretName} className={surfaces.item}>
                    <div>
                      <code>{secret.secretName}</code>
                      <div className={surfaces.detail}>
                        {secret.description && `${secret.description} · `}changed <RelativeTime at={secret.updatedAt} />
                      </div>
                    </div>
                    <Group gap={4}>
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => setEdited(secret)}
                        aria-label={`Change ${secret.secretName}`}
                      >
                        Change
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="red"
                        onClick={() => void ask(secret.secretName)}
                        aria-label={`Delete ${secret.secretName}`}
                      >
                        Delete
                      </Button>
                    </Group>
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      </section>
      {edited !== undefined && <SecretForm secret={edited ?? undefined} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}

function SecretForm({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  const [name, setName] = useState(secret?.secretName ?? '');
  const [value, setValue] = useState('');
  const [description, setDescription] = useState(secret?.description ?? '');
  const create = useChange('createSecret', { staleAfter: ['listSecrets'] });
  const patch = useChange('patchSecret', { staleAfter: ['listSecrets'] });
  const toast = useToast();
  const used = secret ? patch : create;
  const done = {
    onSuccess: () => {
      toast(`${name} was saved`);
      onClose();
    },
  };
  return (
    <Dialog opened onClose={onClose} title={secret ? `Change ${secret.secretName}` : 'New secret'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (secret) {
            patch.mutate(
              {
                params: { secret_name: secret.secretName },
                body: { description, ...(value ? { secretValue: value } : {}) },
              },
              done,
            );
          } else create.mutate({ body: { secretName: name, secretValue: value, description } }, done);
        }}
      >
        <Stack>
          {used.error && (
            <Alert color="red" role="alert">
              {used.error.message}
            </Alert>
          )}
          <TextInput
            label="Name"
            description="Letters, digits, - and _"
            maxLength={100}
            readOnly={secret !== undefined}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <PasswordInput
            label={secret ? 'New value' : 'Value'}
            description={secret ? 'Empty: the value stays' : undefined}
            autoComplete="off"
            value={value}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
          <TextInput
            label="Description"
            maxLength={200}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={used.isPending} disabled={name === '' || (!secret && value === '')}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
