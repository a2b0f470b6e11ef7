import { Stack } from '@mantine/core';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { PackList } from './pack-list.tsx';

/** Starter models: cards with a preview of what installing or removing changes. */
export function Screen() {
  const [model, setModel] = useUrlState('/builder/models', 'model');
  return (
    <Stack gap="md" maw={1200}>
      <PageHeader
        title={t('Starter models')}
        description={t('Blueprints, scorecards, pages and actions that fit together. Install one and make it yours.')}
      />
      <PackList shown={model} onShow={setModel} />
    </Stack>
  );
}
