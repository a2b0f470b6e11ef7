import { Switch, Text } from '@mantine/core';
import { useChange, useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsSwitch } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';

/** Whether people may keep notes for the assistant. */
export function MemoryBlock() {
  const reading = useRead('getMemorySettings');
  const may = useMay('putMemorySettings');
  const put = useChange('putMemorySettings', { staleAfter: ['getMemorySettings', 'listMemories'] });
  return (
    <Block title={t('Memory')}>
      <Reading of={reading}>
        {({ memoryEnabled }) => (
          <>
            <Text size="sm" mb="xs">
              {t(
                'Notes are written by people for themselves, and used only for those who turn theirs on. Administrators can delete the notes of others over the API, and cannot read them.',
              )}
            </Text>
            <NeedsSwitch permit={may} to={t('allow notes')}>
              <Switch
                label={t('People may keep notes for the assistant')}
                checked={memoryEnabled}
                disabled={put.isPending}
                onChange={({ currentTarget }) => put.mutate({ body: { memoryEnabled: currentTarget.checked } })}
              />
            </NeedsSwitch>
            {put.error && <ErrorState error={put.error} what={t('Nothing was changed')} />}
          </>
        )}
      </Reading>
    </Block>
  );
}
