import { Stack, Tabs } from '@mantine/core';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { CutoverTab } from './cutover-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { ProvidersTab } from './providers-tab.tsx';

const tabs = { providers: t('Model providers'), limits: t('Limits'), cutover: t('Cutover') } as const;

/** Providers, models and limits of the assistant and agents, and the cutover. */
export function Screen() {
  const [tab = 'providers', setTab] = useUrlState('/builder/ai', 'tab');
  const shown = Object.hasOwn(tabs, tab) ? tab : 'providers';
  return (
    <Stack gap="md" maw={960}>
      <PageHeader
        title={t('AI settings')}
        description={t('Which models answer, how much may be asked, and how the move to the new assistant stands.')}
      />
      <Tabs
        value={shown}
        onChange={(next) => setTab(next === 'providers' ? undefined : (next ?? undefined))}
        keepMounted={false}
      >
        <Tabs.List mb="md" aria-label={t('Parts of the AI settings')}>
          {Object.entries(tabs).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="providers">
          <ProvidersTab />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <LimitsTab />
        </Tabs.Panel>
        <Tabs.Panel value="cutover">
          <CutoverTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
