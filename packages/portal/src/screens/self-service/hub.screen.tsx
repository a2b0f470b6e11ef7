import { CloseButton, Group, Select, Skeleton, Text, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { formTrigger } from '../../parts/action-form.tsx';
import { ActionMenu } from '../../parts/actions/action-menu.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { formAddress } from '../../parts/run-things.ts';
import { TriggerCards } from '../../parts/workflows/trigger-cards.tsx';
import { fits } from './fits.ts';
import classes from './self-service.module.css';

type Action = AnswerOf<'listActions'>['actions'][number];

const operations = [
  { value: 'all', label: t('All') },
  { value: 'CREATE', label: t('Create') },
  { value: 'DAY-2', label: t('Change') },
  { value: 'DELETE', label: t('Delete') },
];

/** Every self-service action the user can run. */
export function Screen() {
  const mayBuild = useMay('createAction').isAllowed;
  // builders also see unpublished actions
  const query = { trigger_type: 'self-service', ...(mayBuild ? {} : { published: 'true' }) };
  const actions = useRead('listActions', { query });
  const triggers = useRead('listSelfServiceTriggers', {});
  const [term] = useUrlState('/self-service', 'q');
  return (
    <>
      <PageHeader
        title={t('Self-service')}
        description={t('Actions you can run.')}
        actions={
          <>
            <ButtonLink to="/approvals" variant="default">
              {t('Approvals')}
            </ButtonLink>
            <ButtonLink to="/runs" variant="default">
              {t('Runs')}
            </ButtonLink>
            {triggers.data !== undefined && triggers.data.triggers.length > 0 && (
              <ButtonLink to="/workflow-runs" variant="default">
                {t('Runs of workflows')}
              </ButtonLink>
            )}
            <NeedsOperation operation="createAction" to={t('create actions')}>
              <ButtonLink to="/builder/new-action">{t('New action')}</ButtonLink>
            </NeedsOperation>
          </>
        }
      />
      <Reading of={actions} skeleton={<CardsSkeleton />}>
        {(answer) => <Hub actions={answer.actions} />}
      </Reading>
      <TriggerCards words={String(term ?? '')} classes={classes} />
    </>
  );
}

function Hub({ actions }: { actions: readonly Action[] }) {
  const mayBuild = useMay('createAction').isAllowed;
  const [term, setTerm] = useUrlState('/self-service', 'q');
  const [operation, setOperation] = useUrlState('/self-service', 'operation');
  const [blueprint, setBlueprint] = useUrlState('/self-service', 'blueprint');
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  useCommands([{ id: 'search actions', label: t('Search actions'), keys: '/', run: () => search.current?.focus() }]);
  if (actions.length === 0) {
    return (
      <EmptyState
        title={t('There is nothing to run yet')}
        action={
          <NeedsOperation operation="createAction" to={t('create actions')}>
            <ButtonLink to="/builder/new-action" size="xs">
              {t('Make the first action')}
            </ButtonLink>
          </NeedsOperation>
        }
      >
        {mayBuild
          ? t('An action is a form and what happens with its inputs. Create the first one.')
          : t('Ask your platform team for an action, or for the right to run one.')}
      </EmptyState>
    );
  }
  const words = String(term ?? '');
  const blueprints = [
    ...new Set(actions.flatMap((each) => formTrigger(each.trigger)?.blueprintIdentifier ?? [])),
  ].sort();
  const shown = actions.filter((action) => fits(action, { words, operation, blueprint }));
  const clear = () => void navigate({ to: '/self-service', search: {}, replace: true });
  return (
    <>
      <Group gap="xs" mb="md" align="center">
        <TextInput
          ref={search}
          className={classes.search ?? ''}
          aria-label={t('Search actions')}
          placeholder={t('Search actions')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={words}
          onChange={({ currentTarget }) => setTerm(currentTarget.value || undefined)}
          rightSection={
            words && <CloseButton size="sm" aria-label={t('Clear the search')} onClick={() => setTerm(undefined)} />
          }
        />
        <SegmentedControl
          aria-label={t('Operation')}
          data={operations}
          value={operation ?? 'all'}
          onChange={(value) => setOperation(value === 'all' ? undefined : value)}
        />
        {blueprints.length > 1 && (
          <Select
            aria-label={t('Blueprint')}
            placeholder={t('Any blueprint')}
            data={blueprints}
            value={blueprint ?? null}
            clearable
            clearButtonProps={{ 'aria-label': t('Any blueprint') }}
            onChange={(value) => setBlueprint(value ?? undefined)}
          />
        )}
      </Group>
      {shown.length === 0 ? (
        <NothingFits title={t('No action fits')} onClear={clear}>
          {t('Without filters there are {count}.', { count: actions.length })}
        </NothingFits>
      ) : (
        <ul className={classes.cards}>
          {shown.map((action) => (
            <ActionCard key={action.identifier} action={action} />
          ))}
        </ul>
      )}
    </>
  );
}

function ActionCard({ action }: { action: Action }) {
  const trigger = formTrigger(action.trigger);
  if (!trigger) return null;
  const title = action.title || action.identifier;
  return (
    <li className={classes.card}>
      <span className={classes.cardIcon}>
        <EntityIcon name={action.icon ?? ''} size={20} />
      </span>
      <div className={classes.cardText}>
        <Link {...formAddress(action.identifier)} className={classes.cardLink}>
          <span dir="auto">{title}</span>
        </Link>
        {action.description && (
          <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
            {action.description}
          </Text>
        )}
        <Group gap={6} mt={4}>
          <ColourBadge
            colour={trigger.operation === 'DELETE' ? 'red' : trigger.operation === 'CREATE' ? 'green' : 'blue'}
          >
            {operations.find(({ value }) => value === trigger.operation)?.label ?? trigger.operation}
          </ColourBadge>
          {trigger.blueprintIdentifier && <ColourBadge colour="lightGray">{trigger.blueprintIdentifier}</ColourBadge>}
          {action.requiredApproval && <ColourBadge colour="gold">{t('Needs approval')}</ColourBadge>}
          {action.publish === false && <ColourBadge colour="darkGray">{t('Not published')}</ColourBadge>}
        </Group>
      </div>
      <span className={classes.cardVerb} aria-hidden="true">
        {trigger.actionCardButtonText || operations.find(({ value }) => value === trigger.operation)?.label}
      </span>
      <div className={classes.cardMenu}>
        <ActionMenu action={action} />
      </div>
    </li>
  );
}

function CardsSkeleton() {
  return (
    <div className={classes.cards} aria-hidden="true">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height={96} />
      ))}
    </div>
  );
}
