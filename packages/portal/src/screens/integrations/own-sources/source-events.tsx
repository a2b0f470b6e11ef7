import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { useChange } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Block } from '../../../kit/block.tsx';
import { useConfirm } from '../../../kit/confirm.tsx';
import { CopyValue } from '../../../kit/copy-value.tsx';
import { RelativeTime } from '../../../kit/relative-time.tsx';
import { NeedsOperation } from '../../../parts/access/needs.tsx';
import classes from '../integrations.module.css';
import type { OwnSource } from './own-source.ts';

/** Where the host sends events, so that changes arrive within seconds; its address and secret are made on request. */
export function SourceEvents({ source: { identifier, webhook } }: { source: OwnSource }) {
  const renew = useChange('renewSourceWebhook', { staleAfter: ['getSource'] });
  // in memory alone: the secret is shown once and lost with a reload
  const [made, setMade] = useState<AnswerOf<'renewSourceWebhook'>>();
  const attempt = useAttempt();
  const confirm = useConfirm();
  const make = async () => {
    const isSure =
      !webhook ||
      (await confirm({
        title: 'Make a new secret for events',
        consequence: 'Events signed with the one before are refused until the host has the new one.',
        verb: 'Make a new secret',
      }));
    if (!isSure) return;
    await attempt(async () => setMade(await renew.mutateAsync({ params: { source_identifier: identifier } })));
  };
  return (
    <Block title="Events of the host">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{eventsText(webhook)}</Text>
        {webhook?.verifiedAt && (
          <Text size="sm" c="dimmed">
            Last checked event: <RelativeTime at={webhook.verifiedAt} />
          </Text>
        )}
        {made && (
          <Alert color="yellow" title="The secret is shown once" role="status">
            Enter both at the host, as a webhook for pushes and repositories with JSON as its content. Some hosts call
            the secret a token or a password.
            <Value name="Address" value={made.url} />
            <Value name="Secret" value={made.secret} />
          </Alert>
        )}
        {!made && webhook && <Value name="Address" value={webhook.url} />}
        <NeedsOperation operation="renewSourceWebhook" to="make a secret for the events of the host">
          <Button size="xs" variant="default" loading={renew.isPending} onClick={() => void make()}>
            {webhook || made ? 'Make a new secret' : 'Show an address and a secret'}
          </Button>
        </NeedsOperation>
      </Stack>
    </Block>
  );
}

function eventsText(webhook: OwnSource['webhook']): string {
  if (!webhook)
    return 'Changes are found when it is next read. If its host sends events here, they arrive within seconds.';
  return webhook.verifiedAt ? 'The host sends events here.' : 'No event with this secret has arrived yet.';
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <div className={classes.address}>
      {name}: <code>{value}</code>
      <CopyValue value={value} what={`the ${name.toLowerCase()}`} />
    </div>
  );
}
