import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useAttempt } from '../../kit/attempt.ts';
import { Block } from '../../kit/block.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { integrationAddress } from './addresses.ts';
import { InstallCommands } from './install-commands.tsx';
import { InstallHealthBadge } from './install-health.tsx';
import { RemoveInstall } from './remove-install.tsx';

type Install = AnswerOf<'getInstall'>['install'];

/** While nothing has come, the client may do its next step at any moment. */
const waitingMs = 3_000;

/** An install: the secret once, the commands, and how far the client is. */
export function InstallProgress({
  id,
  secret,
  onSecret,
}: {
  id: string;
  secret: string | undefined;
  onSecret: (secret: string) => void;
}) {
  const reading = useRead('getInstall', { params: { install_id: id } }, { everyMs: waitingMs });
  return (
    <Reading of={reading} isScreen>
      {({ install }) => (
        <Stack gap="lg">
          <Group>
            <InstallHealthBadge health={install.health} />
            <ButtonLink {...integrationAddress(id)} variant="default" size="xs">
              {t('Mapping, resyncs and log')}
            </ButtonLink>
            <RemoveInstall install={install} />
          </Group>
          <Credentials install={install} secret={secret} onSecret={onSecret} />
          <InstallCommands install={install} secret={secret} />
          <Steps install={install} />
        </Stack>
      )}
    </Reading>
  );
}

function Credentials({
  install: { clientId },
  secret,
  onSecret,
}: {
  install: Install;
  secret: string | undefined;
  onSecret: (secret: string) => void;
}) {
  const rotate = useChange('rotateAppSecret', { staleAfter: ['listApps'] });
  const attempt = useAttempt();
  const renew = () =>
    attempt(async () => {
      const { app } = await rotate.mutateAsync({ params: { app_id: clientId }, body: {} });
      if (app.secret !== undefined) onSecret(app.secret);
    }, t('There is a new client secret; the old one has ended'));
  if (secret !== undefined) {
    return (
      <Alert color="yellow" title={t('The client secret is shown once')}>
        {t('Copy the secret from the first block below before you leave this page.')}
      </Alert>
    );
  }
  return (
    <Group>
      <Text size="sm" c="dimmed">
        {t('The client secret was shown once.')}
      </Text>
      <NeedsOperation operation="rotateAppSecret" to={t('make a new client secret')}>
        <Button size="xs" variant="default" onClick={() => void renew()} loading={rotate.isPending}>
          {t('Make a new one')}
        </Button>
      </NeedsOperation>
    </Group>
  );
}

const steps = {
  'credential-used': t('Signed in with its credentials'),
  registered: t('Registered'),
  examples: t('Sent examples'),
  resync: t('Began a resync'),
  'first-entity': t('First entity'),
  'resync-done': t('First resync done'),
} as const satisfies Record<Install['steps'][number]['step'], string>;

const states = {
  done: [t('Done'), 'green'],
  running: [t('Running'), 'blue'],
  waiting: [t('Waiting'), 'lightGray'],
  failed: [t('Failed'), 'red'],
} as const;

function Steps({ install: { steps: found, hints, entities, firstEntity } }: { install: Install }) {
  return (
    <Block title={t('4. Waiting for the first data')}>
      <ol aria-label={t('Progress')} aria-live="polite">
        {found.map(({ step, state, at, note }) => (
          <li key={step}>
            {steps[step]} <ColourBadge colour={states[state][1]}>{states[state][0]}</ColourBadge>{' '}
            {at && <RelativeTime at={at} />}
            {step === 'first-entity' && firstEntity ? (
              <>
                {' '}
                <AnchorLink
                  to="/e/$blueprint/$entity"
                  params={{ blueprint: firstEntity.blueprint, entity: firstEntity.identifier }}
                >
                  {firstEntity.title ?? firstEntity.identifier}
                </AnchorLink>
              </>
            ) : (
              note && <Text size="sm">{note}</Text>
            )}
          </li>
        ))}
      </ol>
      {Object.keys(entities).length > 0 && (
        <Text size="sm">
          {Object.entries(entities)
            .map(([blueprint, count]) => `${count} ${blueprint}`)
            .join(', ')}
        </Text>
      )}
      {hints.length > 0 && (
        <Alert color="yellow" title={t('What to look at')} mt="sm">
          <ul>
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </Alert>
      )}
    </Block>
  );
}
