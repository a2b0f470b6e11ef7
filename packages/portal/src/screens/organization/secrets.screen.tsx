import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useDelete } from '../../kit/delete.ts';
import { DialogForm, useContractForm } from '../../kit/form.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { PageHeader } from '../../parts/page-header.tsx';

type Secret = AnswerOf<'listSecrets'>['secrets'][number];

/** The names of the secrets; their values are never shown. */
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
          <NeedsOperation operation="createSecret" to="store secrets">
            <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
              New secret
            </Button>
          </NeedsOperation>
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
  const form = useContractForm(secret ? 'patchSecret' : 'createSecret', {
    initial: { secretName: secret?.secretName ?? '', secretValue: '', description: secret?.description ?? '' },
    input: ({ secretName, secretValue, description }) =>
      secret
        ? {
            params: { secret_name: secret.secretName },
            body: { description, ...(secretValue ? { secretValue } : {}) },
          }
        : { body: { secretName, secretValue, description } },
    staleAfter: ['listSecrets'],
    done: ({ secretName }) => `${secretName} was saved`,
    onSaved: onClose,
  });
  const { secretName, secretValue } = form.values;
  return (
    <DialogForm
      form={form}
      title={secret ? `Change ${secret.secretName}` : 'New secret'}
      verb="Save"
      isReady={secretName !== '' && (secret !== undefined || secretValue !== '')}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Letters, digits, - and _"
        maxLength={100}
        readOnly={secret !== undefined}
        data-autofocus
        {...form.field('secretName')}
      />
      <PasswordInput
        label={secret ? 'New value' : 'Value'}
        description={secret ? 'Empty: the value stays' : undefined}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
        {...form.field('secretValue')}
      />
      <TextInput label="Description" maxLength={200} {...form.field('description')} />
    </DialogForm>
  );
}
