import { Text } from '@mantine/core';
import { useChange, useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';

/** Whether answers that are not backed by what was read are given. */
export function ReceiptsBlock() {
  const reading = useRead('getAiPolicy');
  const put = useChange('putAiPolicy', { staleAfter: ['getAiPolicy'] });
  return (
    <Block title={t('Sentences that are not backed')}>
      <Reading of={reading}>
        {({ policy }) => (
          <>
            <Text size="sm" mb="xs">
              {t(
                'Each sentence is compared with what was read. If answers are held back, words appear only once all of them are checked.',
              )}
            </Text>
            <SegmentedControl
              aria-label={t('What becomes of such sentences')}
              value={policy.receipts}
              disabled={put.isPending}
              data={[
                { value: 'off', label: t('They are marked') },
                { value: 'strict', label: t('The answer is held back') },
              ]}
              onChange={(receipts) =>
                put.mutate({ body: { injection: policy.injection, receipts: receipts as 'off' | 'strict' } })
              }
            />
            {put.error && <ErrorState error={put.error} what={t('Nothing was changed')} />}
          </>
        )}
      </Reading>
    </Block>
  );
}
