import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useDelete } from '../../kit/delete.ts';
import { Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { Conversation } from '../../parts/ai/conversation.tsx';
import { TeamBadge } from '../../parts/badges.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { entityAddress } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { AgentForm } from './agent-form.tsx';
import { toAgentBody, toAgentValues } from './agent-values.ts';
import classes from './agents.module.css';
import { AgentStatus } from './agents.screen.tsx';
import { StandingApprovals } from './standing-approvals.tsx';

/** One agent: its settings, and a conversation with it. */
export function Screen() {
  const identifier = useParam('agent');
  const params = { blueprint_identifier: '_ai_agent', entity_identifier: identifier };
  const read = useRead('getEntity', { params });
  const { permits } = useOffers('_ai_agent', identifier);
  const [shown, show] = useUrlState('/ai/agents/$agent', 'c');
  return (
    <Reading of={read} isScreen>
      {({ entity }) => {
        const values = toAgentValues(entity);
        const isActive = values.status === 'active';
        return (
          <>
            <PageHeader
              title={entity.title || identifier}
              icon={entity.icon ?? 'Bot'}
              favorite={{ kind: 'agent', identifier }}
              trail={[{ to: '/ai/agents', label: t('Agents') }]}
              description={
                <Group gap={8}>
                  <AgentStatus status={values.status} />
                  <code>{identifier}</code>
                  {(entity.team ?? []).map((team) => (
                    <TeamBadge key={team} identifier={team} />
                  ))}
                  <AnchorLink to="/ai/invocations" search={{ agent: identifier }} size="sm">
                    {formatCount(entity.properties?.['total_invocations'])}
                  </AnchorLink>
                  <AnchorLink {...entityAddress('_ai_agent', identifier)} size="sm">
                    {t('As an entity')}
                  </AnchorLink>
                </Group>
              }
              actions={<Delete identifier={identifier} title={entity.title || identifier} />}
            />
            <div className={classes.split}>
              <section aria-labelledby="configure">
                <Title order={2} size="h3" id="configure" mb="sm">
                  {t('Configure')}
                </Title>
                <ReadOnly
                  permit={permits.edit}
                  to={t('change the agent {title}', { title: entity.title || identifier })}
                >
                  <AgentForm
                    // a save starts the form anew
                    key={entity.updatedAt}
                    initial={values}
                    verb={t('Save the agent')}
                    done={t('The agent was saved')}
                    send={(changed) => call('patchEntity', { params, body: toAgentBody(changed) })}
                  />
                </ReadOnly>
                <StandingApprovals agent={identifier} />
              </section>
              <section aria-labelledby="ask" className={classes.test}>
                <Group justify="space-between" mb="sm">
                  <Title order={2} size="h3" id="ask">
                    {t('Ask this agent')}
                  </Title>
                  {shown !== undefined && (
                    <Button size="compact-sm" variant="subtle" onClick={() => show(undefined, { isStep: true })}>
                      {t('New')}
                    </Button>
                  )}
                </Group>
                {isActive ? (
                  <Conversation
                    conversation={shown}
                    onShow={(conversation) => show(conversation)}
                    agent={identifier}
                    starters={values.starters}
                    place="part"
                    intro={<Text c="dimmed">{t('The saved version answers, with your rights.')}</Text>}
                  />
                ) : (
                  <Alert color="yellow" title={t('The agent is inactive')}>
                    {t('Set its status to active and save, and it answers again.')}
                  </Alert>
                )}
              </section>
            </div>
          </>
        );
      }}
    </Reading>
  );
}

function formatCount(total: unknown): string {
  const count = Number(total ?? 0);
  return plural(count, '{count} invocation', '{count} invocations');
}

function Delete({ identifier, title }: { identifier: string; title: string }) {
  const { permits } = useOffers('_ai_agent', identifier);
  const { ask, isPending } = useDelete('deleteEntity', { staleAfter: ['listEntities'], leadsTo: '/ai/agents' });
  const deletion = {
    input: { params: { blueprint_identifier: '_ai_agent', entity_identifier: identifier } },
    name: title,
    consequence: t(
      'Calls to the agent are refused and its drafts become void. Past answers are kept. This cannot be undone.',
    ),
    button: t('Delete the agent'),
  };
  return (
    <Needs permit={permits.unregister} to={t('delete the agent {title}', { title })}>
      <Button variant="default" onClick={() => void ask(deletion)} loading={isPending}>
        {t('Delete')}
      </Button>
    </Needs>
  );
}
