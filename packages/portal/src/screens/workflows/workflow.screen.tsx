import { Button, Group, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useDelete } from '../../kit/delete.ts';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { Needs } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { ConflictView } from '../../parts/definition/conflict.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { startAddress, workflowAddress } from '../../parts/workflows/workflow-links.ts';
import { WorkflowBuilder } from './builder/builder.tsx';
import { useWorkflowDraft } from './builder/use-workflow-draft.ts';
import type { Definition } from './document/definition.ts';
import { NextTick, PauseButton, Pauses, type TriggerState } from './pausing.tsx';
import { useWorkflowSave } from './use-workflow-save.ts';
import { type StoredWorkflow, toDefinition, triggerWords } from './workflow-things.ts';

const WhoMay = lazy(async () => ({ default: (await import('./who-may.tsx')).WhoMay }));
const Versions = lazy(async () => ({ default: (await import('./versions/versions.tsx')).Versions }));

/** One workflow: its builder, and its versions. */
export function Screen() {
  const identifier = useParam('workflow');
  const reading = useRead('getWorkflow', { params: { identifier } });
  return (
    <Reading of={reading} isScreen>
      {({ workflow, triggers }) => <Shown key={workflow.id} workflow={workflow} triggers={triggers} />}
    </Reading>
  );
}

function Shown({ workflow, triggers }: { workflow: StoredWorkflow; triggers: readonly TriggerState[] }) {
  const { identifier, title, version } = workflow;
  // what is changed outlives a look at the versions
  const editing = useEditing(workflow);
  const [tab = 'edit', setTab] = useUrlState('/workflows/$workflow/edit', 'tab');
  const mayChange = useMay('replaceWorkflow');
  const mayDelete = useMay('deleteWorkflow');
  const deleting = useDelete('deleteWorkflow', { staleAfter: ['listWorkflows'], leadsTo: '/workflows' });
  const name = title || identifier;
  const canStart = triggerWords(toDefinition(workflow)).some(
    ({ type, isPublished }) => type === 'SELF_SERVE_TRIGGER' && isPublished,
  );
  const remove = () =>
    void deleting.ask({
      input: { params: { identifier } },
      name,
      consequence: t('The workflow starts no more runs. Those in progress go on to their end, and past runs are kept.'),
    });
  return (
    <>
      <PageHeader
        title={name}
        icon={workflow.icon ?? ''}
        trail={[{ to: '/workflows', label: t('Workflows') }]}
        description={
          <Group gap={4}>
            {t('Version {version}', { version })} · <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
            <NextTick triggers={triggers} />
          </Group>
        }
        actions={
          <>
            <ButtonLink to="/workflow-runs" search={{ workflow: identifier }} variant="default">
              {t('Runs')}
            </ButtonLink>
            <PauseButton
              workflow={{ identifier, name }}
              triggers={triggers}
              paused={triggers.some(({ paused }) => paused !== null && paused.scope !== 'organization')}
            />
            <Needs permit={mayDelete} to={t('delete the workflow {title}', { title: name })}>
              <Button variant="default" loading={deleting.isPending} onClick={remove}>
                {t('Delete')}
              </Button>
            </Needs>
            {canStart && <ButtonLink {...startAddress(identifier)}>{t('Start')}</ButtonLink>}
          </>
        }
      />
      <Pauses triggers={triggers} />
      <Tabs
        value={tab}
        onChange={(next) => setTab(next === 'versions' || next === 'access' ? next : undefined)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">{t('Steps')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('Versions')}</Tabs.Tab>
          <Tabs.Tab value="access">{t('Who may')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit">
          <ReadOnly permit={mayChange} to={t('change the workflow {title}', { title: name })}>
            <Edit {...editing} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Suspense fallback={<TextSkeleton lines={6} />}>
            <Versions workflow={workflow} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <Suspense fallback={<TextSkeleton lines={6} />}>
            <WhoMay workflow={identifier} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function useEditing(latest: StoredWorkflow) {
  const definition = useWorkflowDraft(toDefinition(latest));
  const saving = useWorkflowSave(latest, definition.isDirty);
  const { draft, begin, isDirty } = definition;
  const { base, round } = saving;
  useLeaveGuard(isDirty && !saving.isBusy, draft.title || draft.identifier || t('the workflow'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed later is no reason to begin anew
  useEffect(() => {
    const stored = toDefinition(base);
    // the history of what was just saved stays
    if (JSON.stringify(stored) !== JSON.stringify(draft)) begin(stored);
  }, [round]);
  return { definition, saving };
}

/** Saves the whole draft; if someone else saved first, the user sees both versions and decides. */
function Edit({ definition, saving }: ReturnType<typeof useEditing>) {
  const navigate = useNavigate();
  const { base, conflict } = saving;
  const save = async (draft: Definition) => {
    const saved = await saving.save(draft);
    if (saved && saved.identifier !== base.identifier) await navigate(workflowAddress(saved.identifier));
  };
  return (
    <>
      {conflict && (
        <ConflictView
          base={toDefinition(base)}
          mine={definition.draft}
          theirs={toDefinition(conflict)}
          saved={conflict}
          onKeepMine={saving.rebase}
          onTakeTheirs={() => {
            definition.begin(toDefinition(conflict));
            saving.rebase();
          }}
        />
      )}
      <WorkflowBuilder
        definition={definition}
        isBusy={saving.isBusy}
        error={saving.error}
        onSave={(draft) => void save(draft)}
        onReset={saving.reset}
      />
    </>
  );
}
