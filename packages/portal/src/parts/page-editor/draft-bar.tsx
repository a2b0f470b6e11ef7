import { Button, Group, Text } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import classes from './page-editor.module.css';

/** What was changed last, and the ways to keep or drop the draft. */
export function DraftBar({
  isDirty,
  problem,
  lastStep,
  isBusy,
  onUndo,
  onLeave,
  onSave,
}: {
  isDirty: boolean;
  problem: string | undefined;
  lastStep: string | undefined;
  isBusy: boolean;
  onUndo: () => void;
  onLeave: () => void;
  onSave: () => void;
}) {
  return (
    <section className={classes.bar} data-foot aria-label={t('Draft')}>
      <Text role="status">
        {problem ??
          (isDirty
            ? t('There are unsaved changes. {lastStep}', { lastStep: lastStep ?? '' })
            : t('Nothing is changed.'))}
      </Text>
      <Group gap="xs">
        <Button variant="subtle" leftSection={<Undo2 size={16} />} disabled={lastStep === undefined} onClick={onUndo}>
          {t('Undo')}
        </Button>
        <Button variant="default" onClick={onLeave}>
          {isDirty ? t('Discard') : t('Done')}
        </Button>
        <Button disabled={!isDirty || problem !== undefined} loading={isBusy} onClick={onSave}>
          {t('Save')}
        </Button>
      </Group>
    </section>
  );
}
