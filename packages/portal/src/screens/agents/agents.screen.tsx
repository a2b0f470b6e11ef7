import { Text, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { locale } from '../../kit/language.ts';
import { EmptyState, ErrorState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { ColourBadge, TeamBadge } from '../../parts/badges.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { toAgentValues } from './agent-values.ts';
import classes from './agents.module.css';
import { inWords } from './tool-patterns.ts';

type Agent = AnswerOf<'listEntities'>['entities'][number];

const params = { blueprint_identifier: '_ai_agent' };

/** Every agent the user may see. */
export function Screen() {
  const agents = useRead('listEntities', { params });
  const tools = useRead('listAiTools');
  const { permits } = useOffers('_ai_agent');
  const [find, setFind] = useUrlState('/ai/agents', 'find');
  const navigate = useNavigate();
  const names = (tools.data?.tools ?? []).map(({ name }) => name);
  return (
    <>
      <PageHeader
        title={t('Agents')}
        description={t(
          'An agent is the assistant with a prompt, tools and rights of use of its own. An agent acts with the rights of the person who asks.',
        )}
        actions={
          <Needs permit={permits.register} to={t('create agents')}>
            <ButtonLink to="/ai/new-agent" leftSection={<Plus size={16} />}>
              {t('New agent')}
            </ButtonLink>
          </Needs>
        }
      />
      <Reading of={agents} skeleton={<TableSkeleton />}>
        {({ entities }) => {
          const sought = String(find ?? '').toLowerCase();
          const shown = entities.filter((agent) =>
            `${agent.title} ${agent.identifier} ${toAgentValues(agent).description}`.toLowerCase().includes(sought),
          );
          if (entities.length === 0) return <NoAgents />;
          return (
            <>
              <TextInput
                aria-label={t('Find an agent')}
                placeholder={t('Find an agent')}
                maw={320}
                mb="sm"
                value={String(find ?? '')}
                onChange={({ currentTarget }) => setFind(currentTarget.value || undefined)}
              />
              <DataTable
                label={t('Agents')}
                columns={listColumns(names)}
                rows={shown}
                keyOf={({ identifier }) => identifier ?? ''}
                onOpen={({ identifier }) =>
                  void navigate({ to: '/ai/agents/$agent', params: { agent: identifier ?? '' } })
                }
                total={{ count: shown.length, isExact: true }}
                empty={
                  <Text c="dimmed">
                    {t('No agent of the {count} fits “{sought}”.', { count: entities.length, sought })}
                  </Text>
                }
              />
              {tools.error && (
                <ErrorState
                  error={tools.error}
                  what={t('The tools could not be listed')}
                  onRetry={() => void tools.refetch()}
                />
              )}
            </>
          );
        }}
      </Reading>
    </>
  );
}

function NoAgents() {
  return (
    <EmptyState
      title={t('There is no agent yet')}
      action={<ButtonLink to="/ai/new-agent">{t('Make the first agent')}</ButtonLink>}
    >
      {t(
        'The assistant answers any question. An agent answers one kind of question well: you write its prompt, and choose which tools it has.',
      )}
    </EmptyState>
  );
}

function listColumns(names: readonly string[]): Column<Agent>[] {
  return [
    {
      key: 'title',
      title: t('Agent'),
      width: 220,
      cell: ({ identifier = '', title, icon }) => (
        <Link to="/ai/agents/$agent" params={{ agent: identifier }} className={classes.name} title={identifier}>
          <EntityIcon name={icon ?? 'Bot'} />
          <span dir="auto">{title || identifier}</span>
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('Status'),
      width: 110,
      cell: (agent) => <AgentStatus status={toAgentValues(agent).status} />,
    },
    {
      key: 'description',
      title: t('What for'),
      width: 340,
      cell: (agent) => <span title={toAgentValues(agent).description}>{toAgentValues(agent).description || '–'}</span>,
    },
    { key: 'mode', title: t('Actions'), width: 160, cell: (agent) => toAgentValues(agent).executionMode },
    {
      key: 'tools',
      title: t('Tools you share'),
      width: 180,
      cell: (agent) => (names.length > 0 ? inWords(toAgentValues(agent).tools, names) : '–'),
    },
    {
      key: 'owners',
      title: t('Owning teams'),
      width: 180,
      cell: ({ team }) =>
        (team ?? []).length === 0 ? '–' : (team ?? []).map((each) => <TeamBadge key={each} identifier={each} />),
    },
    {
      key: 'total',
      title: t('Invocations'),
      width: 110,
      cell: ({ properties }) => Number(properties?.['total_invocations'] ?? 0).toLocaleString(locale),
    },
  ];
}

export function AgentStatus({ status }: { status: string }) {
  return (
    <ColourBadge colour={status === 'active' ? 'green' : 'red'}>
      {status === 'active' ? t('Active') : t('Inactive')}
    </ColourBadge>
  );
}
