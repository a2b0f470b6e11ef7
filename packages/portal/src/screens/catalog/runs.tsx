import { Stack } from '@mantine/core';
import { t } from '../../kit/translate.ts';
import { RunsList } from '../../parts/widgets/runs-list.tsx';

/** Runs of actions on the entity. */
export function Runs({ blueprint, identifier }: { blueprint: string; identifier: string }) {
  return (
    <Stack>
      <RunsList
        query={{ entity: identifier, blueprint }}
        label={t('Runs on this entity')}
        emptyText={t('No action was run on this entity yet.')}
      />
    </Stack>
  );
}
