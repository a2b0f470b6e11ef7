import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { InputOf } from '../../../api/api.ts';
import { useRead } from '../../../api/query.ts';
import { useSession } from '../../../api/session.ts';
import { useUrlState } from '../../../frame/url-state.ts';
import { type Choice, FilterSelect } from '../../../kit/filter-select.tsx';
import { t } from '../../../kit/translate.ts';
import classes from './runs.module.css';

type Query = NonNullable<NonNullable<InputOf<'listWorkflowRuns'>>['query']>;

const states: readonly Choice[] = [
  { value: 'active', label: t('In progress') },
  { value: 'SUCCESS', label: t('Success') },
  { value: 'FAILED', label: t('Failed') },
  { value: 'CANCELLED', label: t('Cancelled') },
];
const triggers: readonly Choice[] = [
  { value: 'SELF_SERVE_TRIGGER', label: t('Form') },
  { value: 'EVENT_TRIGGER', label: t('Event') },
  { value: 'SCHEDULE_TRIGGER', label: t('Schedule') },
];
const starters: readonly Choice[] = [
  { value: 'person', label: t('A person') },
  { value: 'machine', label: t('A program') },
  { value: 'system', label: t('Portolan itself') },
];
const waits: readonly Choice[] = [
  { value: 'response', label: t('A response') },
  { value: 'report', label: t('A report') },
  { value: 'time', label: t('A time') },
  { value: 'child', label: t('Another run') },
];

const at = '/workflow-runs';

/** The filters of the list of runs, as the address holds them. */
export function useRunFilters(): { readonly query: Query; readonly isFiltered: boolean; readonly controls: ReactNode } {
  const { user } = useSession();
  const navigate = useNavigate();
  const [status, setStatus] = useUrlState(at, 'status');
  const [workflow, setWorkflow] = useUrlState(at, 'workflow');
  const [mine, setMine] = useUrlState(at, 'mine');
  const [waiting, setWaiting] = useUrlState(at, 'waiting');
  const [trigger, setTrigger] = useUrlState(at, 'trigger');
  const [starter, setStarter] = useUrlState(at, 'by');
  const [waitsFor, setWaitsFor] = useUrlState(at, 'for');
  const [blueprint, setBlueprint] = useUrlState(at, 'blueprint');
  const [entity, setEntity] = useUrlState(at, 'entity');
  const [rerunOf] = useUrlState(at, 'rerunOf');
  const [asked, setAsked] = useState(String(entity ?? ''));
  const workflows = useRead('listWorkflows');
  const blueprints = useRead('listBlueprints');
  const chosen = [status, workflow, mine, waiting, trigger, starter, waitsFor, blueprint, entity, rerunOf];
  const isFiltered = chosen.some(Boolean);
  const query: Query = {
    ...(status === 'active' ? { active: true } : status ? { result: [status] } : {}),
    ...(workflow ? { workflow } : {}),
    ...(mine && user ? { user_email: user.email } : {}),
    ...(waiting ? { waiting_for_me: true } : {}),
    ...(trigger ? { trigger: [trigger] } : {}),
    ...(starter ? { started_by: [starter] } : {}),
    ...(waitsFor ? { waiting: [waitsFor] } : {}),
    ...(blueprint ? { blueprint } : {}),
    ...(entity ? { entity } : {}),
    ...(rerunOf ? { rerun_of: rerunOf } : {}),
  };
  const clear = () => {
    setAsked('');
    void navigate({ to: at, search: {}, replace: true });
  };
  const controls = (
    <Group gap="xs" mb="md" align="center">
      <FilterSelect label={t('Status')} any={t('Any status')} data={states} value={status} onChange={setStatus} />
      <FilterSelect
        label={t('Workflow')}
        any={t('Any workflow')}
        data={(workflows.data?.workflows ?? []).map(({ identifier, title }) => ({
          value: identifier,
          label: title || identifier,
        }))}
        value={workflow}
        onChange={setWorkflow}
      />
      <FilterSelect label={t('Trigger')} any={t('Any trigger')} data={triggers} value={trigger} onChange={setTrigger} />
      <FilterSelect label={t('Started by')} any={t('Anybody')} data={starters} value={starter} onChange={setStarter} />
      <FilterSelect label={t('Waits for')} any={t('Anything')} data={waits} value={waitsFor} onChange={setWaitsFor} />
      <FilterSelect
        label={t('Blueprint')}
        any={t('Any blueprint')}
        data={(blueprints.data?.blueprints ?? []).map(({ identifier, title }) => ({
          value: identifier,
          label: title || identifier,
        }))}
        value={blueprint}
        onChange={setBlueprint}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setEntity(asked.trim() || undefined);
        }}
      >
        <TextInput
          className={classes.filter ?? ''}
          aria-label={t('Entity')}
          placeholder={t('Entity')}
          value={asked}
          onChange={({ currentTarget }) => setAsked(currentTarget.value)}
          onBlur={() => setEntity(asked.trim() || undefined)}
        />
      </form>
      {user && (
        <Switch
          label={t('Mine')}
          checked={mine === true}
          onChange={({ currentTarget }) => setMine(currentTarget.checked || undefined)}
        />
      )}
      <Switch
        label={t('Waiting for me')}
        checked={waiting === true}
        onChange={({ currentTarget }) => setWaiting(currentTarget.checked || undefined)}
      />
      {isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
    </Group>
  );
  return { query, isFiltered, controls };
}
