import { Stack, Title } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { installAddress, integrationAddress, webhookAddress } from './addresses.ts';
import { type Install, InstallHealthBadge } from './install-health.tsx';
import { OwnSourceList } from './own-sources/own-source-list.tsx';

/** Data sources: those that Portolan reads itself, integrations that run elsewhere, and webhooks that receive events. */
export function Screen() {
  const integrations = useRead('listIntegrations', { query: {} });
  const webhooks = useRead('listWebhooks');
  const installs = useRead('listInstalls').data?.installs ?? [];
  const installOf = (identifier: string) => installs.find(({ id }) => id === identifier);
  return (
    <Stack gap="xl" maw={960}>
      <PageHeader
        title={t('Data sources')}
        description={t('What writes entities: sources that Portolan reads, integrations and webhooks.')}
        actions={
          <>
            <ButtonLink to="/builder/sources/add">{t('Add a source')}</ButtonLink>
            <NeedsOperation operation="createWebhook" to={t('create webhooks')}>
              <ButtonLink to="/builder/sources/new-webhook" variant="default">
                {t('New webhook')}
              </ButtonLink>
            </NeedsOperation>
          </>
        }
      />
      <OwnSourceList />
      <section aria-labelledby="integrations">
        <Title order={2} mb="sm" id="integrations">
          {t('Integrations')}
        </Title>
        <Reading of={integrations}>
          {({ integrations: list }) =>
            list.length === 0 ? (
              <EmptyState
                title={t('Nothing is connected yet')}
                action={
                  <ButtonLink to="/builder/sources/add" size="xs">
                    {t('Add a source')}
                  </ButtonLink>
                }
              >
                {t('Choose a tool; its blueprints, mapping and credentials are prepared for you.')}
              </EmptyState>
            ) : (
              <ul className={surfaces.list}>
                {list.map(({ identifier, title, integrationType, version, resyncState, updatedAt }) => (
                  <li key={identifier} className={surfaces.item}>
                    <div>
                      <AnchorLink {...integrationAddress(identifier)} fw={600} dir="auto">
                        {title ?? identifier}
                      </AnchorLink>{' '}
                      <code>{identifier}</code>
                      <div className={surfaces.detail}>
                        <Sentence
                          text="{value} · changed <time/>"
                          values={{ value: [integrationType, version].filter(Boolean).join(' ') }}
                          parts={{ time: <RelativeTime at={updatedAt} /> }}
                        />
                      </div>
                    </div>
                    <State install={installOf(identifier)} status={resyncState['status']} />
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      </section>
      <section aria-labelledby="webhooks">
        <Title order={2} mb="sm" id="webhooks">
          {t('Webhooks')}
        </Title>
        <Reading of={webhooks}>
          {({ integrations: list }) =>
            list.length === 0 ? (
              <EmptyState
                title={t('There is no webhook')}
                action={
                  <NeedsOperation operation="createWebhook" to={t('create webhooks')}>
                    <ButtonLink to="/builder/sources/new-webhook" size="xs">
                      {t('New webhook')}
                    </ButtonLink>
                  </NeedsOperation>
                }
              >
                {t('Create one to receive events of other tools.')}
              </EmptyState>
            ) : (
              <ul className={surfaces.list}>
                {list.map(({ identifier, title, enabled, mappings, updatedAt }) => (
                  <li key={identifier} className={surfaces.item}>
                    <div>
                      <AnchorLink {...webhookAddress(identifier)} fw={600} dir="auto">
                        {title}
                      </AnchorLink>{' '}
                      <code>{identifier}</code>
                      <div className={surfaces.detail}>
                        <Sentence
                          text="{mappings} · changed <time/>"
                          values={{
                            mappings: plural(mappings?.length ?? 0, '{count} mapping', '{count} mappings'),
                          }}
                          parts={{ time: <RelativeTime at={updatedAt} /> }}
                        />
                      </div>
                    </div>
                    <ColourBadge colour={enabled ? 'green' : 'lightGray'}>{enabled ? t('On') : t('Off')}</ColourBadge>
                  </li>
                ))}
              </ul>
            )
          }
        </Reading>
      </section>
    </Stack>
  );
}

/** How an integration is: of an installed one its health, of others what they told of their resync. */
function State({ install, status }: { install: Install | undefined; status: unknown }) {
  if (install) {
    return (
      <AnchorLink
        {...installAddress(install.type, install.id)}
        aria-label={t('How {title} is', { title: install.title })}
      >
        <InstallHealthBadge health={install.health} />
      </AnchorLink>
    );
  }
  if (typeof status !== 'string') return null;
  return <ColourBadge colour={status === 'failed' ? 'red' : 'blue'}>{t('Resync {status}', { status })}</ColourBadge>;
}
