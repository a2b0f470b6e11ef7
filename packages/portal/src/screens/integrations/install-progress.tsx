import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useAttempt } from '../../kit/attempt.ts';
import { Block } from '../../kit/block.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
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
              Mapping, resyncs and log
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
    }, 'There is a new client secret; the old one has ended');
  if (secret !== undefined) {
    return (
      <Alert color="yellow" title="The client secret is shown once">
        It stands in the first block below. Copy it before you leave this page.
      </Alert>
    );
  }
  return (
    <Group>
      <Text size="sm" c="dimmed">
        The client secret was shown once.
      </Text>
      <NeedsOperation operation="rotateAppSecret" to="make a new client secret">
        <Button size="xs" variant="default" onClick={() => void renew()} loading={rotate.isPending}>
          Make a new one
        </Button>
      </NeedsOperation>
    </Group>
  );
}

const steps = {
  'credential-used': 'Signed in with its credentials',
  registered: 'Registered',
  examples: 'Sent examples',
  resync: 'Began a resync',
  'first-entity': 'First entity',
  'resync-done': 'First resync done',
} as const satisfies Record<Install['steps'][number]['step'], string>;

const states = {
  done: ['Done', 'green'],
  running: ['Running', 'blue'],
  waiting: ['Waiting', 'lightGray'],
  failed: ['Failed', 'red'],
} as const;

function Steps({ install: { steps: found, hints, entities, firstEntity } }: { install: Install }) {
  return (
    <Block title="4. Waiting for the first data">
      <ol aria-label="Progress" aria-live="polite">
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
        <Alert color="yellow" title="What to look at" mt="sm">
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
