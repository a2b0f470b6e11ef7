import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { webhookAddress } from './addresses.ts';
import { WebhookForm } from './webhook-form.tsx';
import { emptyWebhook, toWebhookBody } from './webhook-values.ts';

/** A new webhook; its mappings are written later, once there is an event to try them on. */
export function Screen() {
  const navigate = useNavigate();
  const mayCreate = useMay('createWebhook');
  return (
    <div style={{ maxWidth: 720 }}>
      <PageHeader
        title={t('New webhook')}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={t(
          'An address that other tools send events to. What becomes of them is written next, with an event at hand.',
        )}
      />
      <ReadOnly permit={mayCreate} to={t('create webhooks')}>
        <WebhookForm
          initial={emptyWebhook}
          isNew
          verb={t('Create the webhook')}
          done="was created"
          send={async (values) => {
            const input = { body: toWebhookBody(values) };
            return (await call('createWebhook', input)).integration;
          }}
          onSaved={({ identifier }) => void navigate({ ...webhookAddress(identifier), search: { tab: 'mappings' } })}
        />
      </ReadOnly>
    </div>
  );
}
