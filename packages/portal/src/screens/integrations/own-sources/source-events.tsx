import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { useChange } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Block } from '../../../kit/block.tsx';
import { useConfirm } from '../../../kit/confirm.tsx';
import { CopyValue } from '../../../kit/copy-value.tsx';
import { RelativeTime } from '../../../kit/relative-time.tsx';
import { Sentence } from '../../../kit/sentence.tsx';
import { t } from '../../../kit/translate.ts';
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
        title: t('Make a new secret for events'),
        consequence: t('Events signed with the one before are refused until the host has the new one.'),
        verb: t('Make a new secret'),
      }));
    if (!isSure) return;
    await attempt(async () => setMade(await renew.mutateAsync({ params: { source_identifier: identifier } })));
  };
  return (
    <Block title={t('Events of the host')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{eventsText(webhook)}</Text>
        {webhook?.verifiedAt && (
          <Text size="sm" c="dimmed">
            <Sentence text="Last checked event: <time/>" parts={{ time: <RelativeTime at={webhook.verifiedAt} /> }} />
          </Text>
        )}
        {made && (
          <Alert color="yellow" title={t('The secret is shown once')} role="status">
            {t(
              'Enter both at the host, as a webhook for pushes and repositories with JSON as its content. Some hosts call the secret a token or a password.',
            )}
            <Value name={t('Address')} value={made.url} />
            <Value name={t('Secret')} value={made.secret} />
          </Alert>
        )}
        {!made && webhook && <Value name={t('Address')} value={webhook.url} />}
        <NeedsOperation operation="renewSourceWebhook" to={t('make a secret for the events of the host')}>
          <Button size="xs" variant="default" loading={renew.isPending} onClick={() => void make()}>
            {webhook || made ? t('Make a new secret') : t('Show an address and a secret')}
          </Button>
        </NeedsOperation>
      </Stack>
    </Block>
  );
}

function eventsText(webhook: OwnSource['webhook']): string {
  if (!webhook)
    return t('Changes are found when it is next read. If its host sends events here, they arrive within seconds.');
  return webhook.verifiedAt ? t('The host sends events here.') : t('No event with this secret has arrived yet.');
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <div className={classes.address}>
      {name}: <code>{value}</code>
      <CopyValue value={value} what={t('the {name}', { name: name.toLowerCase() })} />
    </div>
  );
}
