import { Text } from '@mantine/core';
import { useChange, useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { TrustedSources } from './trusted-sources.tsx';

/** Whether text of others may lead the assistant to run an action by itself. */
export function InjectionBlock() {
  const reading = useRead('getAiPolicy');
  const put = useChange('putAiPolicy', { staleAfter: ['getAiPolicy'] });
  return (
    <Block title={t('Text of others')}>
      <Reading of={reading}>
        {({ policy }) => (
          <>
            <Text size="sm" mb="xs">
              {t(
                'In mode Automatic, an action that the question did not ask for waits for a person if text was read whose author could not run it.',
              )}
            </Text>
            <SegmentedControl
              aria-label={t('What becomes of such a call')}
              value={policy.injection}
              disabled={put.isPending}
              data={[
                { value: 'enforce', label: t('The call waits for a person') },
                { value: 'observe', label: t('The call runs and is noted') },
              ]}
              onChange={(injection) => put.mutate({ body: { injection: injection as 'enforce' | 'observe' } })}
            />
            {policy.injection === 'observe' && (
              <Text size="sm" c="red" mt="xs" role="note">
                {policy.observedUntil
                  ? t('Text of others can lead to actions until {exact}; then such calls wait.', {
                      exact: exact(new Date(policy.observedUntil)),
                    })
                  : t('Text of others can lead to actions.')}
              </Text>
            )}
            {put.error && <ErrorState error={put.error} what={t('Nothing was changed')} />}
            <TrustedSources policy={policy} />
          </>
        )}
      </Reading>
    </Block>
  );
}
