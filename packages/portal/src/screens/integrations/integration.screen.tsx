import { Button, Tabs } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { installAddress } from './addresses.ts';
import { InstallHealthBadge } from './install-health.tsx';
import { IntegrationLog } from './integration-log.tsx';
import { IntegrationMapping } from './integration-mapping.tsx';
import { IntegrationOverview } from './integration-overview.tsx';
import classes from './integrations.module.css';
import { RemoveInstall } from './remove-install.tsx';
import { Syncs } from './syncs.tsx';

type Integration = AnswerOf<'getIntegration'>['integration'];

/** One integration: state, delete guard, mapping, resyncs and log. */
export function Screen() {
  const identifier = useParam('integration');
  const input = { params: { integration_identifier: identifier }, query: {} };
  const reading = useRead('getIntegration', input, { everyMs: 15_000 });
  return (
    <Reading of={reading} isScreen>
      {({ integration }) => <Shown key={integration.installationId} integration={integration} />}
    </Reading>
  );
}

function Shown({ integration }: { integration: Integration }) {
  const { installationId, title, integrationType, version } = integration;
  const [tab = 'overview', setTab] = useUrlState('/builder/sources/integrations/$integration', 'tab');
  const name = title ?? installationId;
  const install = useRead('listInstalls').data?.installs.find(({ id }) => id === installationId);
  const mayChange = useMay('replaceIntegrationConfig');
  return (
    <>
      <PageHeader
        title={name}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={
          <div className={classes.address}>
            {install && <InstallHealthBadge health={install.health} />}
            {[integrationType, version].filter(Boolean).join(' ')} · <code>{installationId}</code>
            <CopyValue value={installationId} what={t('the identifier')} />
          </div>
        }
        actions={
          <>
            <AskForResync installationId={installationId} />
            {install ? (
              <>
                <ButtonLink {...installAddress(install.type, install.id)} variant="default">
                  {t('Commands and progress')}
                </ButtonLink>
                <RemoveInstall install={install} />
              </>
            ) : (
              <DeleteIntegration installationId={installationId} name={name} />
            )}
          </>
        }
      />
      <Tabs value={tab} onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">{t('Overview')}</Tabs.Tab>
          <Tabs.Tab value="mapping">{t('Mapping')}</Tabs.Tab>
          <Tabs.Tab value="syncs">{t('Resyncs')}</Tabs.Tab>
          <Tabs.Tab value="log">{t('Log')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <IntegrationOverview integration={integration} />
        </Tabs.Panel>
        <Tabs.Panel value="mapping">
          <ReadOnly permit={mayChange} to={t('change the mapping of {name}', { name })}>
            <IntegrationMapping integration={integration} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="syncs">
          <Syncs installationId={installationId} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <IntegrationLog installationId={installationId} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function AskForResync({ installationId }: { installationId: string }) {
  const patch = useChange('patchIntegration', { staleAfter: ['getIntegration', 'getResyncRequest'] });
  const attempt = useAttempt();
  const ask = () =>
    // an empty PATCH requests a resync
    attempt(
      () => patch.mutateAsync({ params: { integration_identifier: installationId }, body: {} }),
      t('Resync requested. The integration starts it when it next checks'),
    );
  return (
    <NeedsOperation operation="patchIntegration" to={t('request a resync')}>
      <Button variant="default" onClick={() => void ask()} loading={patch.isPending}>
        {t('Ask for a resync')}
      </Button>
    </NeedsOperation>
  );
}

function DeleteIntegration({ installationId, name }: { installationId: string; name: string }) {
  const { ask, isPending } = useDelete('deleteIntegration', {
    staleAfter: ['listIntegrations'],
    leadsTo: '/builder/sources',
  });
  const deletion = {
    input: { params: { integration_identifier: installationId } },
    name,
    consequence: t(
      'Its mapping, its log and its figures are gone. The entities it wrote stay. If it still runs, it registers again.',
    ),
    button: t('Delete the integration'),
  };
  return (
    <NeedsOperation operation="deleteIntegration" to={t('delete the integration {name}', { name })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending}>
        {t('Delete')}
      </Button>
    </NeedsOperation>
  );
}
