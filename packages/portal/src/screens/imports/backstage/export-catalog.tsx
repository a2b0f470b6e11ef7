import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { open } from '../../../api/api.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { t } from '../../../kit/translate.ts';
import { download } from '../../../parts/entities/export-entities.ts';

/** The way back: the catalog as documents that Backstage reads. */
export function ExportCatalog() {
  const [isReading, setReading] = useState(false);
  const attempt = useAttempt();
  const save = async () => {
    setReading(true);
    await attempt(async () => {
      const text = await (await open('exportBackstage', {})).text();
      if (!text.trimEnd().endsWith('# end')) throw new Error(t('The answer broke off. Try again.'));
      download('catalog-info.yaml', 'application/yaml', text);
    });
    setReading(false);
  };
  return (
    <Group>
      <Text size="sm">{t('What you can see of the catalog goes back the same way, with what changed here:')}</Text>
      <Button size="xs" variant="default" loading={isReading} onClick={() => void save()}>
        {t('Export catalog-info.yaml')}
      </Button>
    </Group>
  );
}
