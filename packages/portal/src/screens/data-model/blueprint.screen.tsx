import { Alert, Anchor, Group, Skeleton, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { conflictQuestion } from '../../parts/conflict-question.tsx';
import { CopyValue } from '../../parts/copy-value.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type Issue, issuesOf } from '../../parts/refusal.ts';
import { SaveBar } from '../../parts/save-bar.tsx';
import { Reading } from '../../parts/states.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { asDraft, type Blueprint, type Draft, draftText, type TabName, tabOfIssue } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import { ComputedTab } from './computed-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { JsonTab } from './json-tab.tsx';
import { OwnershipTab } from './ownership-tab.tsx';
import { PropertiesTab } from './properties-tab.tsx';
import { RelationsTab } from './relations-tab.tsx';
import type { TabProps } from './tab-props.ts';

const tabs: readonly { readonly name: TabName; readonly label: string }[] = [
  { name: 'properties', label: 'Properties' },
  { name: 'relations', label: 'Relations' },
  { name: 'computed', label: 'Computed' },
  { name: 'ownership', label: 'Ownership' },
  { name: 'general', label: 'General' },
  { name: 'json', label: 'JSON' },
];

/** One blueprint: changed as a whole in this browser, and saved at once. */
export function Screen() {
  const identifier = useParam('blueprint');
  const reading = useRead('getBlueprint', { params: { blueprint_identifier: identifier } });
  const model = useRead('listBlueprints');
  return (
    <Reading of={reading} isScreen skeleton={<Skeleton height={320} />}>
      {({ blueprint }) => (
        <Editor key={blueprint.identifier} latest={blueprint} blueprints={model.data?.blueprints ?? []} />
      )}
    </Reading>
  );
}

function Editor({ latest, blueprints }: { latest: Blueprint; blueprints: readonly Blueprint[] }) {
  const [base, setBase] = useState(latest);
  const [draft, setDraft] = useState<Draft>(() => asDraft(latest));
  const [problem, setProblem] = useState<string>();
  const [tab = 'properties', setTab] = useUrlState<TabName>('tab');
  const isDirty = problem !== undefined || draftText(draft) !== draftText(asDraft(base));
  // while nothing is typed the editor follows what others save
  if (!isDirty && latest.updatedAt !== base.updatedAt) {
    setBase(latest);
    setDraft(asDraft(latest));
  }
  const saving = useSaving(base, draft, (saved) => {
    setBase(saved);
    setDraft(asDraft(saved));
  });
  const issues = issuesOf(saving.error);
  useLeaveGuard(isDirty, base.title);
  const save = () => {
    if (isDirty && problem === undefined) void saving.save();
  };
  useCommands([{ id: 'blueprint.save', label: 'Save the blueprint', keys: 'mod+s', run: save }]);
  const undo = () => {
    setProblem(undefined);
    setDraft(asDraft(base));
    saving.reset();
  };
  const shared: TabProps = { draft, onChange: setDraft, issues, blueprints, saved: base, isDirty };
  return (
    <>
      <PageHeader
        title={base.title}
        icon={base.icon ?? 'Blueprint'}
        above={
          <Anchor component={Link} to="/builder/data-model" size="sm">
            Data model
          </Anchor>
        }
        description={
          <Group gap={4}>
            <code>{base.identifier}</code>
            <CopyValue value={base.identifier} what="the identifier" />
          </Group>
        }
        actions={<BlueprintMenu blueprint={base} />}
      />
      {saving.error && <Refusal error={saving.error} issues={issues} onGo={setTab} />}
      <Tabs value={tab} onChange={(value) => setTab((value ?? undefined) as TabName | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} disabled={problem !== undefined && name !== 'json'}>
              {label}
              {issues.some((issue) => tabOfIssue(issue) === name) ? ' (to correct)' : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="properties">
          <PropertiesTab {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="relations">
          <RelationsTab {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="computed">
          <ComputedTab {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="ownership">
          <OwnershipTab {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="general">
          <GeneralTab {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab {...shared} problem={problem} onProblem={setProblem} />
        </Tabs.Panel>
      </Tabs>
      <SaveBar
        isDirty={isDirty}
        problem={problem === undefined ? undefined : 'The JSON has to be corrected first.'}
        isBusy={saving.isPending}
        onSave={save}
        onDiscard={undo}
      />
    </>
  );
}

/** Saves the whole draft, unless somebody else has saved since: then the person decides. */
function useSaving(base: Blueprint, draft: Draft, onSaved: (saved: Blueprint) => void) {
  const replace = useChange('replaceBlueprint', {
    staleAfter: ['listBlueprints', 'getBlueprint', 'getBlueprintPermissions', 'countEntities'],
  });
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const confirm = useConfirm();
  const toast = useToast();
  const params = { blueprint_identifier: base.identifier };
  const isWanted = async () => {
    const gone = Object.keys(base.schema.properties).filter((key) => !Object.hasOwn(draft.schema.properties, key));
    const lost = [...gone, ...Object.keys(base.relations).filter((key) => !Object.hasOwn(draft.relations, key))];
    const { blueprint: now } = await call('getBlueprint', { params });
    if (now.updatedAt !== base.updatedAt) {
      const isSure = await confirm(
        conflictQuestion({
          name: base.title,
          by: now.updatedBy,
          base: asDraft(base),
          theirs: asDraft(now),
          mine: draft,
        }),
      );
      if (!isSure) return false;
    }
    if (lost.length === 0) return true;
    const { count } = await call('countEntities', { params });
    if (count === 0) return true;
    return confirm({
      title: `Remove ${lost.join(', ')}`,
      consequence: `The values that ${count.toLocaleString()} ${count === 1 ? 'entity has' : 'entities have'} there can no longer be read or changed.`,
      verb: 'Save and remove',
    });
  };
  const save = async () => {
    setAsking(true);
    try {
      if (!(await isWanted())) return;
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
      return;
    } finally {
      setAsking(false);
    }
    replace.mutate(
      { params, body: draft },
      {
        onSuccess: ({ blueprint }) => {
          queries.setQueryData(['getBlueprint', { params }], { ok: true, blueprint });
          onSaved(blueprint);
          toast(`${blueprint.title} was saved`);
        },
      },
    );
  };
  return { save, error: replace.error, reset: replace.reset, isPending: replace.isPending || isAsking };
}

function Refusal({ error, issues, onGo }: { error: Error; issues: readonly Issue[]; onGo: (tab: TabName) => void }) {
  return (
    <Alert color="red" role="alert" title="It was not saved" mb="md">
      {error.message}
      {issues.length > 0 && (
        <ul>
          {issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              <Anchor component="button" type="button" onClick={() => onGo(tabOfIssue(issue))}>
                {issue.path}
              </Anchor>{' '}
              {issue.message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
