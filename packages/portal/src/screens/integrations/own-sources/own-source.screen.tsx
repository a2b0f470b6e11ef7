import { Tabs } from '@mantine/core';
import { useRead } from '../../../api/query.ts';
import { useParam, useUrlState } from '../../../frame/url-state.ts';
import { CopyValue } from '../../../kit/copy-value.tsx';
import { Reading } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import { sourcePermit } from '../../../parts/access/permit.ts';
import { ReadOnly } from '../../../parts/access/read-only.tsx';
import { ColourBadge } from '../../../parts/badges.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import classes from '../integrations.module.css';
import { isOpen, type OwnSource, refetchMs, stateWords } from './own-source.ts';
import { OwnSourceActions } from './own-source-actions.tsx';
import { OwnSourceMapping } from './own-source-mapping.tsx';
import { OwnSourceOverview } from './own-source-overview.tsx';
import { OwnSourceSettings } from './own-source-settings.tsx';
import { OwnSourceSyncs } from './own-source-syncs.tsx';

/** One source that Portolan reads itself: how it is and what to do, its syncs, mapping and settings. */
export function Screen() {
  const identifier = useParam('source');
  const input = { params: { source_identifier: identifier } };
  const known = useRead('getSource', input).data?.source;
  const isBusy = known?.state === 'waiting' || isOpen(known?.lastSync);
  const reading = useRead('getSource', input, { everyMs: refetchMs(isBusy) });
  return (
    <Reading of={reading} isScreen>
      {({ source }) => <Shown key={source.identifier} source={source} />}
    </Reading>
  );
}

function Shown({ source }: { source: OwnSource }) {
  const { identifier, title, type, state } = source;
  const [tab = 'overview', setTab] = useUrlState('/builder/sources/own/$source', 'tab');
  return (
    <>
      <PageHeader
        title={title}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={
          <div className={classes.address}>
            <ColourBadge colour={stateWords[state][1]}>{stateWords[state][0]}</ColourBadge>
            {type} · <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
          </div>
        }
        actions={<OwnSourceActions source={source} />}
      />
      <Tabs value={tab} onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">{t('Overview')}</Tabs.Tab>
          <Tabs.Tab value="syncs">{t('Syncs')}</Tabs.Tab>
          <Tabs.Tab value="mapping">{t('Mapping')}</Tabs.Tab>
          <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OwnSourceOverview source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="syncs">
          <OwnSourceSyncs source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="mapping">
          <ReadOnly permit={sourcePermit(source.allowed.write)} to={t('change {title}', { title })}>
            <OwnSourceMapping source={source} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ReadOnly permit={sourcePermit(source.allowed.write)} to={t('change {title}', { title })}>
            <OwnSourceSettings source={source} />
          </ReadOnly>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
