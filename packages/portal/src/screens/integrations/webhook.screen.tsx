import { Button, Switch, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation, NeedsSwitch } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { webhookAddress } from './addresses.ts';
import { Deliveries } from './deliveries.tsx';
import classes from './integrations.module.css';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookMappings } from './webhook-mappings.tsx';
import { toWebhookBody, toWebhookValues, type Webhook } from './webhook-values.ts';

const stale = ['getWebhook', 'listWebhooks'] as const;

/** One webhook: its address, received events, mappings and security. */
export function Screen() {
  const identifier = useParam('webhook');
  const reading = useRead('getWebhook', { params: { webhook_identifier: identifier } });
  return (
    <Reading of={reading} isScreen>
      {({ integration }) => <Shown key={integration.identifier} webhook={integration} />}
    </Reading>
  );
}

function Shown({ webhook }: { webhook: Webhook }) {
  const { identifier, title, description, enabled, url } = webhook;
  const params = { webhook_identifier: identifier };
  const [tab = 'deliveries', setTab] = useUrlState('/builder/sources/webhooks/$webhook', 'tab');
  const [, setDelivery] = useUrlState('/builder/sources/webhooks/$webhook', 'delivery');
  const navigate = useNavigate();
  const patch = useChange('patchWebhook', { staleAfter: [...stale] });
  const attempt = useAttempt();
  const mayChange = useMay('patchWebhook');
  const turn = (isOn: boolean) => attempt(() => patch.mutateAsync({ params, body: { enabled: isOn } }));
  return (
    <>
      <PageHeader
        title={title}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={description}
        actions={
          <>
            <NeedsSwitch permit={mayChange} to={t('turn the webhook {title} on or off', { title })}>
              <Switch
                label={enabled ? t('Receives events') : t('Off: events are dropped')}
                checked={enabled}
                disabled={patch.isPending}
                onChange={({ currentTarget }) => void turn(currentTarget.checked)}
              />
            </NeedsSwitch>
            <DeleteWebhook webhook={webhook} />
          </>
        }
      />
      {url && (
        <div className={classes.address}>
          <Text size="sm" c="dimmed">
            {t('Address')}
          </Text>
          <code>{url}</code>
          <CopyValue value={url} what={t('the address')} />
        </div>
      )}
      <Tabs
        mt="md"
        value={tab}
        onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">{t('Deliveries')}</Tabs.Tab>
          <Tabs.Tab value="mappings">{t('Mappings')}</Tabs.Tab>
          <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Deliveries
            identifier={identifier}
            onTry={(delivery) => {
              void navigate({ ...webhookAddress(identifier), search: { tab: 'mappings', delivery } });
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="mappings">
          <ReadOnly permit={mayChange} to={t('change the webhook {title}', { title })}>
            <WebhookMappings webhook={webhook} onDelivery={setDelivery} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ReadOnly permit={mayChange} to={t('change the webhook {title}', { title })}>
            <Settings key={webhook.updatedAt} webhook={webhook} />
          </ReadOnly>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <div style={{ maxWidth: 720 }}>
      <WebhookForm
        initial={toWebhookValues(webhook)}
        verb={t('Save')}
        done="was saved"
        send={async (values) => {
          const input = { params: { webhook_identifier: webhook.identifier }, body: toWebhookBody(values) };
          return (await call('patchWebhook', input)).integration;
        }}
        onSaved={async (integration) => {
          const saved = { params: { webhook_identifier: integration.identifier } };
          queries.setQueryData(['getWebhook', saved], { ok: true, integration });
          if (integration.identifier === webhook.identifier) return;
          await navigate({ ...webhookAddress(integration.identifier), search: { tab: 'settings' } });
        }}
      />
    </div>
  );
}

function DeleteWebhook({ webhook: { identifier, title } }: { webhook: Webhook }) {
  const { ask, isPending } = useDelete('deleteWebhook', { staleAfter: ['listWebhooks'], leadsTo: '/builder/sources' });
  const deletion = {
    input: { params: { webhook_identifier: identifier } },
    name: title,
    consequence: t(
      'Its address receives nothing any more, and its deliveries are gone. The entities it wrote stay. This cannot be undone.',
    ),
    button: t('Delete the webhook'),
  };
  return (
    <NeedsOperation operation="deleteWebhook" to={t('delete the webhook {title}', { title })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending}>
        {t('Delete')}
      </Button>
    </NeedsOperation>
  );
}
