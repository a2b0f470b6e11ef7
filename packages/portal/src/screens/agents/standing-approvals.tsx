import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { StandingApproval } from '@portolan/contract/standing-approvals';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { useDelete } from '../../kit/delete.ts';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { planned } from '../../kit/time.ts';
import { plural, t } from '../../kit/translate.ts';
import { StandingForm } from './standing-form.tsx';
import { sayEntity, sayInput, stateNames } from './standing-words.ts';

/** What people let an agent do without asking, with a way to allow more and to end it. */
export function StandingApprovals({ agent }: { agent: string }) {
  const read = useRead('listStandingApprovals', { query: { agent } });
  const [isOpen, open] = useState(false);
  return (
    <Block title={t('Automatic actions')}>
      <Text size="sm" mb="xs">
        {t(
          'In mode Automatic the agent runs an action unasked if the question orders it, or if everyone whose text it read could run it. A standing approval lets it run one action in one shape, whatever it read.',
        )}
      </Text>
      <Reading of={read}>
        {({ approvals, givable }) => (
          <Stack gap="sm">
            {approvals.length === 0 ? (
              <Text c="dimmed">{t('There is no standing approval.')}</Text>
            ) : (
              <ul className={surfaces.list}>
                {approvals.map((approval) => (
                  <Approval key={approval.id} approval={approval} />
                ))}
              </ul>
            )}
            {givable.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('People who may run and approve an action can give one for it.')}
              </Text>
            ) : (
              <Group>
                <Button size="xs" variant="default" data-operation="createStandingApproval" onClick={() => open(true)}>
                  {t('Give a standing approval')}
                </Button>
              </Group>
            )}
            {isOpen && <StandingForm agent={agent} actions={givable} onClose={() => open(false)} />}
          </Stack>
        )}
      </Reading>
    </Block>
  );
}

function Approval({ approval }: { approval: StandingApproval }) {
  const { id, action, actionTitle, entity, inputs, maxPerHour, usedInHour, used, expiresAt, givenBy, state } = approval;
  const { ask, isPending } = useDelete('revokeStandingApproval', { staleAfter: ['listStandingApprovals'] });
  const name = actionTitle ?? action;
  const revocation = {
    input: { params: { approval_id: id } },
    name: t('The standing approval for {name}', { name }),
    consequence: t('The next such call waits for a person. Runs that have begun go on.'),
    verb: t('Revoke'),
    past: 'revoked',
  };
  const shape = [sayEntity(entity), ...Object.entries(inputs).map(([key, input]) => sayInput(key, input))];
  return (
    <li className={surfaces.item}>
      <div>
        <Group gap={6}>
          <strong>{name}</strong>
          <Badge size="xs" variant="light" color={state === 'active' ? 'green' : 'gray'}>
            {stateNames[state]}
          </Badge>
        </Group>
        <div className={surfaces.detail}>{shape.join(' · ')}</div>
        <div className={surfaces.detail}>
          {t('given by {givenBy} until {until}', { givenBy, until: planned(new Date(expiresAt)) })}
          {' · '}
          {t('{used} of {limit} in this hour', { used: usedInHour, limit: maxPerHour })}
          {' · '}
          {plural(used, '{count} run in all', '{count} runs in all')}
        </div>
      </div>
      {approval.mayRevoke && (
        <Button
          size="xs"
          variant="default"
          data-operation="revokeStandingApproval"
          aria-label={t('Revoke the standing approval for {name}', { name })}
          onClick={() => void ask(revocation)}
          loading={isPending}
        >
          {t('Revoke')}
        </Button>
      )}
    </li>
  );
}
