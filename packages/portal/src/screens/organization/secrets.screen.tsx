import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useDelete } from '../../kit/delete.ts';
import { DialogForm, useContractForm } from '../../kit/form.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
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
      title: t('Delete the secret {name}', { name }),
      consequence: t('Actions and webhooks that use it fail from now on. This cannot be undone.'),
    });
  return (
    <Stack gap="md" maw={860}>
      <PageHeader
        title={t('Secrets')}
        description={t(
          'Actions and webhooks use them by name. A value is sealed when it arrives, and never shown again.',
        )}
        actions={
          <NeedsOperation operation="createSecret" to={t('store secrets')}>
            <Button leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
              {t('New secret')}
            </Button>
          </NeedsOperation>
        }
      />
      <section aria-label={t('Stored secrets')}>
        <Reading of={reading}>
          {({ secrets }) =>
            secrets.length === 0 ? (
              <EmptyState title={t('There is no secret')}>
                {t('Store one for the back end of an action, such as a token.')}
              </EmptyState>
            ) : (
              <ul className={surfaces.list} aria-label={t('Secrets')}>
                {secrets.map((secret) => (
                  <li key={secret.secretName} className={surfaces.item}>
                    <div>
                      <code>{secret.secretName}</code>
                      <div className={surfaces.detail}>
                        <Sentence
                          text="{value}changed <time/>"
                          values={{ value: secret.description && `${secret.description} · ` }}
                          parts={{ time: <RelativeTime at={secret.updatedAt} /> }}
                        />
                      </div>
                    </div>
                    <Group gap={4}>
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => setEdited(secret)}
                        aria-label={t('Change {secretName}', { secretName: secret.secretName })}
                      >
                        {t('Change')}
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="red"
                        onClick={() => void ask(secret.secretName)}
                        aria-label={t('Delete {secretName}', { secretName: secret.secretName })}
                      >
                        {t('Delete')}
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
    done: ({ secretName }) => t('{secretName} was saved', { secretName }),
    onSaved: onClose,
  });
  const { secretName, secretValue } = form.values;
  return (
    <DialogForm
      form={form}
      title={secret ? t('Change {secretName}', { secretName: secret.secretName }) : t('New secret')}
      verb={t('Save')}
      isReady={secretName !== '' && (secret !== undefined || secretValue !== '')}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        description={t('Letters, digits, - and _')}
        maxLength={100}
        readOnly={secret !== undefined}
        data-autofocus
        {...form.field('secretName')}
      />
      <PasswordInput
        label={secret ? t('New value') : t('Value')}
        description={secret ? t('Empty: the value stays') : undefined}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('Show the value') }}
        {...form.field('secretValue')}
      />
      <TextInput label={t('Description')} maxLength={200} {...form.field('description')} />
    </DialogForm>
  );
}
