import { Group, Select, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { ColourBadge, PersonBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { startAddress, workflowAddress } from '../../parts/workflows/workflow-links.ts';
import classes from './list.module.css';
import { NextTick, PauseButton, PauseLine, Pauses, type TriggerState } from './pausing.tsx';
import { Proposals } from './proposals.tsx';
import { ResultStrip } from './result-strip.tsx';
import { TemplateCards } from './templates/template-cards.tsx';
import { type StoredWorkflow, toDefinition, triggerWords } from './workflow-things.ts';

type ListedRun = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** Runs read for the strips, in one request for all workflows. */
const runsMax = 1000;

/** All workflows that the user may run or change. */
export function Screen() {
  const workflows = useRead('listWorkflows');
  return (
    <>
      <PageHeader
        title={t('Workflows')}
        description={t('Several steps in one run: forms, events and schedules start them, people decide in between.')}
        actions={
          <>
            <ButtonLink to="/workflow-runs" variant="default">
              {t('Runs')}
            </ButtonLink>
            {workflows.data && workflows.data.workflows.length > 0 && (
              <PauseButton paused={workflows.data.paused !== null} />
            )}
            <NeedsOperation operation="createWorkflow" to={t('create workflows')}>
              <ButtonLink to="/workflows/new">{t('New workflow')}</ButtonLink>
            </NeedsOperation>
          </>
        }
      />
      <Proposals />
      <Reading of={workflows}>
        {({ workflows: list, triggers, paused }) => (
          <>
            {paused && <PauseLine pause={paused} />}
            <List workflows={list} triggers={triggers} />
          </>
        )}
      </Reading>
    </>
  );
}

function List({
  workflows,
  triggers: states,
}: {
  workflows: readonly StoredWorkflow[];
  triggers: readonly TriggerState[];
}) {
  const [term, setTerm] = useUrlState('/workflows', 'q');
  const [category, setCategory] = useUrlState('/workflows', 'category');
  const [trigger, setTrigger] = useUrlState('/workflows', 'trigger');
  const runs = useRead(
    'listWorkflowRuns',
    { query: { limit: runsMax } },
    { everyMs: 30_000, isOn: workflows.length > 0 },
  );
  const byWorkflow = useMemo(() => byIdentifier(runs.data?.runs ?? []), [runs.data]);
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  useCommands([
    { id: 'search workflows', label: t('Search workflows'), keys: '/', run: () => search.current?.focus() },
  ]);
  if (workflows.length === 0) {
    return (
      <>
        <EmptyState title={t('No workflows yet')}>
          {t('Begin with one of these, and change it to what you need. Nothing runs before you save it.')}
        </EmptyState>
        <TemplateCards />
      </>
    );
  }
  const words = String(term ?? '').toLowerCase();
  const categories = [...new Set(workflows.flatMap((each) => each.category || []))].sort();
  const shown = workflows.filter((workflow) => {
    const triggers = triggerWords(toDefinition(workflow));
    const text = [workflow.identifier, workflow.title, workflow.description, ...triggers.map((each) => each.text)];
    return (
      text.join(' ').toLowerCase().includes(words) &&
      (category === undefined || workflow.category === category) &&
      (trigger === undefined || triggers.some(({ type }) => type === trigger))
    );
  });
  const clear = () => void navigate({ to: '/workflows', search: {}, replace: true });
  return (
    <>
      <Group gap="xs" mb="md">
        <TextInput
          ref={search}
          aria-label={t('Search workflows')}
          placeholder={t('Search workflows')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={String(term ?? '')}
          onChange={({ currentTarget }) => setTerm(currentTarget.value || undefined)}
        />
        <Select
          aria-label={t('Started by')}
          placeholder={t('Started by')}
          data={[
            { value: 'SELF_SERVE_TRIGGER', label: t('Form') },
            { value: 'EVENT_TRIGGER', label: t('Event') },
            { value: 'SCHEDULE_TRIGGER', label: t('Schedule') },
            { value: 'WEBHOOK_TRIGGER', label: t('Call from outside') },
            { value: 'RUN_TRIGGER', label: t('End of a run') },
          ]}
          value={trigger ?? null}
          clearable
          clearButtonProps={{ 'aria-label': t('Started by anything') }}
          onChange={(next) => setTrigger(next ?? undefined)}
        />
        {categories.length > 0 && (
          <Select
            aria-label={t('Category')}
            placeholder={t('Category')}
            data={categories}
            value={category ?? null}
            clearable
            clearButtonProps={{ 'aria-label': t('Any category') }}
            onChange={(next) => setCategory(next ?? undefined)}
          />
        )}
      </Group>
      {shown.length === 0 ? (
        <NothingFits title={t('No workflow fits')} onClear={clear} />
      ) : (
        <ul className={surfaces.list} aria-label={t('Workflows')}>
          {shown.map((workflow) => (
            <Row
              key={workflow.identifier}
              workflow={workflow}
              runs={byWorkflow.get(workflow.identifier) ?? []}
              states={states.filter(({ workflowIdentifier }) => workflowIdentifier === workflow.identifier)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({
  workflow,
  runs,
  states,
}: {
  workflow: StoredWorkflow;
  runs: readonly ListedRun[];
  states: readonly TriggerState[];
}) {
  const { identifier, title, category, version, updatedAt, updatedBy } = workflow;
  const triggers = triggerWords(toDefinition(workflow));
  const waiting = runs.filter(({ status }) => status !== 'COMPLETED').length;
  const canStart = triggers.some(({ type, isPublished }) => type === 'SELF_SERVE_TRIGGER' && isPublished);
  return (
    <li className={surfaces.item}>
      <div className={classes.text}>
        <AnchorLink {...workflowAddress(identifier)} fw={600} dir="auto">
          {title || identifier}
        </AnchorLink>{' '}
        <code>{identifier}</code>
        <Group gap={6} mt={4}>
          {triggers.map(({ text, node, isPublished }) => {
            const isPaused = states.some((each) => each.nodeIdentifier === node && each.paused !== null);
            return (
              <ColourBadge key={node} colour={!isPublished ? 'darkGray' : isPaused ? 'gold' : 'green'}>
                {!isPublished ? t('{text}, not published', { text }) : isPaused ? t('{text}, paused', { text }) : text}
              </ColourBadge>
            );
          })}
          {category && <ColourBadge colour="lightGray">{category}</ColourBadge>}
        </Group>
        <Pauses triggers={states.filter(({ paused }) => paused?.scope !== 'organization')} />
        <ResultStrip runs={runs.slice(0, 30)} />
        <Text size="sm" c="dimmed" component="div">
          <Group gap={6}>
            {t('Version {version}', { version })} · <RelativeTime at={updatedAt} /> · <PersonBadge email={updatedBy} />
            {waiting > 0 && <>· {t('{waiting} in progress', { waiting })}</>}
            <NextTick triggers={states} />
          </Group>
        </Text>
      </div>
      {canStart && (
        <ButtonLink
          {...startAddress(identifier)}
          variant="default"
          size="xs"
          aria-label={t('Start {title}', { title: title || identifier })}
        >
          {t('Start')}
        </ButtonLink>
      )}
    </li>
  );
}

function byIdentifier(runs: readonly ListedRun[]): ReadonlyMap<string, readonly ListedRun[]> {
  const found = new Map<string, ListedRun[]>();
  for (const run of runs) {
    const { identifier } = run.workflow;
    found.set(identifier, [...(found.get(identifier) ?? []), run]);
  }
  return found;
}
