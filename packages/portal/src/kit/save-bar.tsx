import { Button, Group, Text } from '@mantine/core';
import surfaces from './surfaces.module.css';
import { t } from './translate.ts';

/** Stays visible while there are unsaved changes; says why they cannot be saved. */
export function SaveBar({
  isDirty,
  problem,
  isBusy,
  onSave,
  onDiscard,
}: {
  isDirty: boolean;
  problem?: string | undefined;
  isBusy: boolean;
  onSave: () => void;
  onDiscard: () => void;
}) {
  if (!isDirty) return null;
  return (
    <section className={surfaces.bar} data-foot aria-label={t('Unsaved changes')}>
      <Text>{problem ?? t('There are unsaved changes.')}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={onDiscard}>
          {t('Discard')}
        </Button>
        <Button onClick={onSave} loading={isBusy} disabled={problem !== undefined}>
          {t('Save')}
        </Button>
      </Group>
    </section>
  );
}
