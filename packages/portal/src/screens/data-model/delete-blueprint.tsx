import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { locale } from '../../kit/language.ts';
import { Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { plural, t } from '../../kit/translate.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { pointingAt } from './relation-path.ts';

/** States what is deleted with a blueprint. With entities the deletion is a job; without, it is immediate. */
export function DeleteBlueprint({
  blueprint: { identifier, title },
  isOpen,
  onClose,
}: {
  blueprint: Pick<Blueprint, 'identifier' | 'title'>;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Delete {title}', { title })} size="lg">
      <Consequences identifier={identifier} title={title} onClose={onClose} />
    </Dialog>
  );
}

function Consequences({ identifier, title, onClose }: { identifier: string; title: string; onClose: () => void }) {
  const params = { blueprint_identifier: identifier };
  const count = useRead('countEntities', { params });
  const model = useRead('listBlueprints');
  const staleAfter = ['listBlueprints', 'getSidebar', 'listPages'] as const;
  const remove = useChange('deleteBlueprint', { staleAfter: [...staleAfter] });
  const empty = useChange('deleteAllEntities', { staleAfter: [...staleAfter] });
  const [withActions, setWithActions] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const toast = useToast();
  const leave = (text: string) => {
    toast(text);
    onClose();
    void navigate({ to: '/builder/data-model' });
  };
  const run = (entities: number) => {
    if (entities === 0) {
      remove.mutate(
        { params, query: { delete_actions: withActions } },
        { onSuccess: () => leave(t('{title} was deleted', { title })) },
      );
      return;
    }
    empty.mutate(
      { params, query: { delete_blueprint: true } },
      { onSuccess: () => leave(t('{title} and its entities are being deleted', { title })) },
    );
  };
  const error = remove.error ?? empty.error;
  const dependents = pointingAt(model.data?.blueprints ?? [], identifier);
  return (
    <Reading of={count} waitsFor={t('Still counting the entities')}>
      {({ count: entities }) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            run(entities);
          }}
        >
          <Stack>
            {error && (
              <Alert color="red" role="alert" title={t('The blueprint was not deleted')}>
                {error.message}
              </Alert>
            )}
            <Text>
              {entities === 0
                ? t('This blueprint has no entities. Its permissions are deleted too. This cannot be undone.')
                : plural(
                    entities,
                    'Its one entity and its permissions are deleted too. This cannot be undone.',
                    'Its {count} entities and its permissions are deleted too. This cannot be undone.',
                  )}
            </Text>
            {dependents.length > 0 && (
              <Alert color="yellow" title={t('Relations of other blueprints point at it')}>
                <ul>
                  {dependents.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
                {t('Remove these relations first.')}
              </Alert>
            )}
            {entities === 0 && (
              <Checkbox
                label={t('Delete its actions too')}
                description={t('Without it, a blueprint with actions is not deleted')}
                checked={withActions}
                onChange={({ currentTarget }) => setWithActions(currentTarget.checked)}
              />
            )}
            <TextInput
              label={t('Type {identifier} to go on', { identifier })}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button
                type="submit"
                color="red"
                disabled={typed !== identifier || dependents.length > 0}
                loading={remove.isPending || empty.isPending}
              >
                {entities === 0
                  ? t('Delete blueprint')
                  : t('Delete blueprint and {entities} entities', { entities: entities.toLocaleString(locale) })}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Reading>
  );
}
