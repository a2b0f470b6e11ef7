import { Group } from '@mantine/core';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/translate.ts';
import type { FieldEntity } from '../../parts/entities/fields.ts';

/** The entity as the API says it. */
export function JsonDialog({ entity, isOpen, onClose }: { entity: FieldEntity; isOpen: boolean; onClose: () => void }) {
  const text = JSON.stringify(entity, null, 2);
  return (
    <Dialog opened={isOpen} onClose={onClose} size="xl" title={t('The entity as JSON')}>
      <Group mb="xs">
        <CopyValue value={text} what={t('the JSON')} />
      </Group>
      <CodeEditor language="json" label={t('The entity as JSON')} value={text} maxHeight={560} />
    </Dialog>
  );
}
