import { Button } from '@mantine/core';
import { useDelete } from '../../kit/delete.ts';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import type { Install } from './install-health.tsx';

/** Removes an installed client after a question. */
export function RemoveInstall({ install: { id, title } }: { install: Pick<Install, 'id' | 'title'> }) {
  const { ask, isPending } = useDelete('deleteInstall', {
    staleAfter: ['listInstalls', 'listIntegrations', 'listBlueprints'],
    leadsTo: '/builder/sources',
  });
  const deletion = {
    input: { params: { install_id: id } },
    name: title,
    consequence: t(
      'Its credentials end at once and its mapping and log are gone. Entities stay. Blueprints that it made go if they are empty, unchanged, and nothing points at them. Stop the client where it runs, too.',
    ),
    button: t('Remove the source'),
  };
  return (
    <NeedsOperation operation="deleteInstall" to={t('remove the source {title}', { title })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending}>
        {t('Remove')}
      </Button>
    </NeedsOperation>
  );
}
