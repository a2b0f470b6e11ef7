import { Anchor, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useParam } from '../../frame/url-state.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { CopyValue } from '../../parts/copy-value.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { EmptyState, Reading } from '../../parts/states.tsx';
import surfaces from '../../parts/surfaces.module.css';
import { useToast } from '../../parts/toasts.tsx';

type Delivery = AnswerOf<'listWebhookDeliveries'>['deliveries'][number];

/** One webhook: its address, its mappings, and what became of the events it received. */
export function Screen() {
  const identifier = useParam('webhook');
  const params = { webhook_identifier: identifier };
  const reading = useRead('getWebhook', { params });
  const patch = useChange('patchWebhook', { staleAfter: ['getWebhook', 'listWebhooks'] });
  const toast = useToast();
  return (
    <Reading of={reading} isScreen>
      {({ integration: { title, description, enabled, url, mappings } }) => (
        <Stack gap="lg" maw={960}>
          <PageHeader
            title={title}
            above={
              <Anchor component={Link} to="/builder/sources" size="sm">
                Data sources
              </Anchor>
            }
            description={description}
            actions={
              <Switch
                label={enabled ? 'Receives events' : 'Off'}
                checked={enabled}
                disabled={patch.isPending}
                onChange={({ currentTarget }) =>
                  patch.mutate(
                    { params, body: { enabled: currentTarget.checked } },
                    { onError: ({ message }) => toast({ text: message, kind: 'failure' }) },
                  )
                }
              />
            }
          />
          {url && (
            <Group gap={4}>
              <Text size="sm" c="dimmed">
                Address
              </Text>
              <code>{url}</code>
              <CopyValue value={url} what="the address" />
            </Group>
          )}
          <section aria-labelledby="mappings">
            <Title order={2} size="h3" mb="xs" id="mappings">
              Mappings
            </Title>
            <CodeEditor language="json" label="Mappings as JSON" value={JSON.stringify(mappings ?? [], null, 2)} />
          </section>
          <Deliveries identifier={identifier} />
        </Stack>
      )}
    </Reading>
  );
}

function Deliveries({ identifier }: { identifier: string }) {
  const input = { params: { webhook_identifier: identifier }, query: { limit: 50 } } as const;
  const reading = useRead('listWebhookDeliveries', input as never, { everyMs: 10_000 });
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} size="h3" mb="xs" id="deliveries">
        Deliveries
      </Title>
      <Reading of={reading}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <EmptyState title="Nothing has arrived yet">Send an event to the address above.</EmptyState>
          ) : (
            <ul className={surfaces.list}>
              {deliveries.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} webhook={identifier} />
              ))}
            </ul>
          )
        }
      </Reading>
    </section>
  );
}

const colours: Readonly<Record<Delivery['state'], string>> = {
  processed: 'green',
  failed: 'red',
  refused: 'red',
  dropped: 'darkGray',
  waiting: 'lightGray',
  running: 'blue',
};

function Row({ delivery, webhook }: { delivery: Delivery; webhook: string }) {
  const [isOpen, setOpen] = useState(false);
  const params = { webhook_identifier: webhook, delivery_id: delivery.id };
  const replay = useChange('replayWebhookDelivery', { staleAfter: ['listWebhookDeliveries'] });
  const whole = useRead('getWebhookDelivery', { params }, { isOn: isOpen });
  const toast = useToast();
  const results = delivery.results.map(
    ({ blueprint, verdict, created, updated, deleted, reason }) =>
      `${blueprint}: ${verdict}${reason ? ` (${reason})` : ''}, ${created} created, ${updated} updated, ${deleted} deleted`,
  );
  return (
    <li className={surfaces.item}>
      <div>
        <ColourBadge colour={colours[delivery.state]}>{delivery.state}</ColourBadge>{' '}
        <RelativeTime at={delivery.receivedAt} /> · {delivery.bytes.toLocaleString()} bytes
        {delivery.replayOf ? ' · replayed' : ''}
        <div className={surfaces.detail}>{[delivery.reason, ...results].filter(Boolean).join(' · ')}</div>
      </div>
      <Group gap={4}>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          aria-label={`${isOpen ? 'Hide' : 'Show'} ${delivery.id}`}
        >
          {isOpen ? 'Hide' : 'Show'}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={replay.isPending}
          aria-label={`Replay ${delivery.id}`}
          onClick={() =>
            replay.mutate(
              { params },
              {
                onSuccess: () => toast('It is mapped once more'),
                onError: ({ message }) => toast({ text: message, kind: 'failure' }),
              },
            )
          }
        >
          Replay
        </Button>
      </Group>
      {isOpen && (
        <div style={{ flexBasis: '100%', minWidth: 0 }}>
          <Reading of={whole}>
            {({ delivery: { payload } }) => (
              <CodeEditor language="json" label="What was received" value={JSON.stringify(payload, null, 2)} />
            )}
          </Reading>
        </div>
      )}
    </li>
  );
}
