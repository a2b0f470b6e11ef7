import { Alert, Button, Checkbox, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import type { Cutover } from './cutover.types.ts';
import { CutoverReport } from './cutover-report.tsx';

type Stage = Cutover['stage'];

const stages: Readonly<Record<Stage, string>> = {
  legacy: t('Before the new assistant'),
  transition: 'Old and new side by side',
  schema_testing: t('New forms of agents can be tested'),
  cutover: t('The new assistant alone'),
};
const order = Object.keys(stages) as Stage[];

/** The organization's stage in the cutover, the use of old forms, and the effect of each stage. */
export function CutoverTab() {
  const reading = useRead('getCutover');
  const rehearse = useChange('rehearseCutover');
  const rehearsed = rehearse.data?.cutover;
  return (
    <Reading of={reading} skeleton={<Skeleton height={320} />}>
      {({ cutover }) => (
        <Stack gap="md">
          <Where cutover={cutover} />
          <Rehearsal
            now={cutover.stage}
            isBusy={rehearse.isPending}
            isShown={rehearsed !== undefined}
            onAsk={(stage, operatorUpdated) => rehearse.mutate({ body: { stage, operatorUpdated } })}
            onEnd={() => rehearse.reset()}
          />
          {rehearse.error && <ErrorState error={rehearse.error} what={t('The stage could not be rehearsed')} />}
          {rehearsed && (
            <Alert color="blue" title={t('Rehearsed: {stages}', { stages: stages[rehearsed.stage].toLowerCase() })}>
              {t('Nothing was changed. Below is what would hold then.')}
            </Alert>
          )}
          <CutoverReport cutover={rehearsed ?? cutover} />
          <Moving cutover={cutover} />
        </Stack>
      )}
    </Reading>
  );
}

function Where({ cutover }: { cutover: Cutover }) {
  const { stage, sunset, operatorUpdated, notice, chatApplication } = cutover;
  const isOver = stage === 'cutover';
  return (
    <Block title={t('Where the organization stands')}>
      <ol aria-label={t('Stages')}>
        {order.map((each) => (
          <li key={each} aria-current={each === stage ? 'step' : undefined}>
            {each === stage ? <strong>{t('{stages}, now', { stages: stages[each] })}</strong> : stages[each]}
          </li>
        ))}
      </ol>
      <Text>
        {isOver ? t('The old router went') : t('The old router goes')} {exact(new Date(sunset))}.{' '}
        {operatorUpdated
          ? t('The operator has updated the organization: agents answer in the new way without being asked to.')
          : t(
              'The operator has not updated the organization yet: agents answer in the new way only where a request says so.',
            )}
      </Text>
      <Text mt={4}>{chatApplication.message}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        {notice}
      </Text>
    </Block>
  );
}

function Rehearsal({
  now,
  isBusy,
  isShown,
  onAsk,
  onEnd,
}: {
  now: Stage;
  isBusy: boolean;
  isShown: boolean;
  onAsk: (stage: Stage, operatorUpdated: boolean) => void;
  onEnd: () => void;
}) {
  const [stage, setStage] = useState<Stage>('cutover');
  const [isUpdated, setUpdated] = useState(true);
  return (
    <Block title={t('Rehearse a stage')}>
      <Text mb="sm">
        {t('See how each address would answer, and what would become of agents. Nothing is changed by it.')}
      </Text>
      <Group align="flex-end">
        <Select
          label={t('Stage')}
          data={order.map((value) => ({ value, label: value === now ? `${stages[value]} (now)` : stages[value] }))}
          value={stage}
          allowDeselect={false}
          w={300}
          onChange={(value) => setStage((value ?? stage) as Stage)}
        />
        <Checkbox
          label={t('Updated by the operator')}
          checked={isUpdated}
          mb={8}
          onChange={({ currentTarget }) => setUpdated(currentTarget.checked)}
        />
        <Button variant="default" loading={isBusy} onClick={() => onAsk(stage, isUpdated)}>
          {t('Rehearse')}
        </Button>
        {isShown && (
          <Button variant="subtle" color="gray" onClick={onEnd}>
            {t('Show what holds now')}
          </Button>
        )}
      </Group>
    </Block>
  );
}

/** Only the operator can change the stage, with a token that no page holds: shows the request, ready to copy. */
function Moving({ cutover }: { cutover: Cutover }) {
  const organization = useRead('getOwnOrganization');
  const next = order[order.indexOf(cutover.stage) + 1];
  const id = organization.data?.organization.id;
  if (!next || !id) return null;
  const isBlocked = cutover.blockers.length > 0 || cutover.agents.some(({ state }) => state === 'blocked');
  const body = JSON.stringify({ cutover: { stage: next, ...(isBlocked ? { force: true } : {}) } });
  const command = [
    `curl -X PATCH "${location.origin}/v1/operator/organizations/${id}"`,
    '-H "Authorization: Bearer $PORTOLAN_OPERATOR_TOKEN"',
    '-H "Content-Type: application/json"',
    `-d '${body}'`,
  ].join(' ');
  return (
    <Block title={t('Move on')}>
      <Text>
        {t('The operator of this installation moves the organization to “{stages}”, or a clock does.', {
          stages: stages[next],
        })}
        {isBlocked && ` ${t('What still uses old forms is refused then, so the move has to be forced.')}`}
      </Text>
      <Group gap={4} mt="xs" wrap="nowrap">
        <code style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{command}</code>
        <CopyValue value={command} what={t('the command for the operator')} />
      </Group>
    </Block>
  );
}
