import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { DeleteGuard } from './delete-guard.tsx';
import classes from './integrations.module.css';

/** The state of an integration, and its delete guard. */
export function IntegrationOverview({ integration }: { integration: AnswerOf<'getIntegration'>['integration'] }) {
  const { installationId, resyncState, createdAt, updatedAt, updatedBy, actionsProcessingEnabled } = integration;
  const request = useRead('getResyncRequest', { params: { integration_identifier: installationId } });
  const { status, lastResyncStart, lastResyncEnd, nextResync } = resyncState;
  return (
    <Stack gap="lg" maw={720}>
      <Block title={t('Resync')}>
        <dl className={classes.facts}>
          <Fact name={t('State')}>
            {typeof status === 'string' ? (
              <ColourBadge colour={status === 'failed' ? 'red' : status === 'completed' ? 'green' : 'blue'}>
                {status}
              </ColourBadge>
            ) : (
              t('Not reported yet')
            )}
          </Fact>
          <Fact name={t('Last began')}>
            <Moment at={lastResyncStart} />
          </Fact>
          <Fact name={t('Last ended')}>
            <Moment at={lastResyncEnd} />
          </Fact>
          <Fact name={t('Next')}>
            <Moment at={nextResync} />
          </Fact>
          <Fact name={t('Last requested')}>
            <Reading of={request}>
              {({ request: asked }) => (asked ? <RelativeTime at={asked.updatedAt} /> : t('Never'))}
            </Reading>
          </Fact>
        </dl>
      </Block>
      <DeleteGuard installationId={installationId} />
      <Block title={t('Registration')}>
        <dl className={classes.facts}>
          <Fact name={t('Registered')}>
            <RelativeTime at={createdAt} />
          </Fact>
          <Fact name={t('Changed')}>
            <Sentence
              text="<time/> by {updatedBy}"
              values={{ updatedBy }}
              parts={{ time: <RelativeTime at={updatedAt} /> }}
            />
          </Fact>
          <Fact name={t('Runs actions')}>{actionsProcessingEnabled ? t('Yes') : t('No')}</Fact>
        </dl>
      </Block>
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Moment({ at }: { at: unknown }) {
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? <RelativeTime at={at} /> : '–';
}
