import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/query.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { webhookAddress } from './addresses.ts';
import { WebhookForm } from './webhook-form.tsx';
import { bodyOf, emptyWebhook } from './webhook-values.ts';

/** A new webhook; its mappings are written once there is an event to try them on. */
export function Screen() {
  const create = useChange('createWebhook', { staleAfter: ['listWebhooks'] });
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <div style={{ maxWidth: 720 }}>
      <PageHeader
        title="New webhook"
        above={
          <Anchor component={Link} to="/builder/sources" size="sm">
            Data sources
          </Anchor>
        }
        description="An address that other tools send events to. What becomes of them is written next, with an event at hand."
      />
      <WebhookForm
        initial={emptyWebhook}
        isNew
        verb="Create the webhook"
        isBusy={create.isPending || create.isSuccess}
        error={create.error}
        onSave={(values) =>
          create.mutate(
            { body: bodyOf(values) },
            {
              onSuccess: ({ integration }) => {
                toast(`${integration.title} was created`);
                void navigate({ to: webhookAddress(integration.identifier), search: { tab: 'mappings' } as never });
              },
            },
          )
        }
      />
    </div>
  );
}
