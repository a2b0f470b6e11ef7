import { Anchor, Button, Group, Switch, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type InputOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { CopyValue } from '../../parts/copy-value.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { formAddress } from '../../parts/run-things.ts';
import { Reading } from '../../parts/states.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { type Automation, asDraft, automationAddress, type Draft, triggerWords } from './automation-draft.ts';
import { AutomationEditor } from './automation-editor.tsx';
import { AutomationRuns } from './automation-runs.tsx';
import { TestAutomation } from './test-automation.tsx';
import { usePublish } from './use-publish.ts';

const tabs = ['edit', 'test', 'runs'] as const;

/** One automation: changed as a whole, tried on what happened, and what became of its runs. */
export function Screen() {
  const identifier = useParam('automation');
  const reading = useRead('getAction', { params: { action_identifier: identifier } });
  return (
    <Reading of={reading} isScreen>
      {({ action }) =>
        action.trigger['type'] === 'automation' ? (
          <Shown key={action.identifier} automation={action} />
        ) : (
          <Navigate to={formAddress(action.identifier)} replace />
        )
      }
    </Reading>
  );
}

function Shown({ automation }: { automation: Automation }) {
  const { identifier, title, trigger, publish } = automation;
  const [tab = 'edit', setTab] = useUrlState<(typeof tabs)[number]>('tab');
  const turning = usePublish();
  const isOn = publish !== false;
  return (
    <>
      <PageHeader
        title={title || identifier}
        above={
          <Anchor component={Link} to="/builder/automations" size="sm">
            Automations
          </Anchor>
        }
        description={
          <Group gap={4}>
            {triggerWords(trigger)} · <code>{identifier}</code>
            <CopyValue value={identifier} what="the identifier" />
          </Group>
        }
        actions={
          <>
            <Switch
              label={isOn ? 'On' : 'Paused: it does not run'}
              checked={isOn}
              disabled={turning.isPending}
              onChange={({ currentTarget }) => void turning.turn(identifier, currentTarget.checked)}
            />
            <DeleteAutomation automation={automation} />
          </>
        }
      />
      <Tabs value={tab} onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">When, if, then</Tabs.Tab>
          <Tabs.Tab value="test">Test with a past event</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit">
          <Edit latest={automation} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TestAutomation automation={automation} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <AutomationRuns identifier={identifier} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Saves the whole draft, unless somebody else has saved since: then the person decides. */
function Edit({ latest }: { latest: Automation }) {
  const [base, setBase] = useState(latest);
  const [isDirty, setDirty] = useState(false);
  // while nothing is typed the editor follows what others save
  if (!isDirty && latest.updatedAt > base.updatedAt) setBase(latest);
  const replace = useChange('replaceAction', { staleAfter: ['listActions'] });
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toast = useToast();
  const params = { action_identifier: base.identifier };
  const isWanted = async () => {
    const { action: now } = await call('getAction', { params });
    if (now.updatedAt === base.updatedAt) return true;
    return confirm({
      title: `${base.title || base.identifier} was changed meanwhile`,
      consequence: `${now.updatedBy} saved it after you began. Saving now replaces what they changed. Cancel, and discard your changes to see theirs.`,
      verb: 'Replace their changes',
    });
  };
  const save = async (draft: Draft) => {
    setAsking(true);
    try {
      if (!(await isWanted())) return;
      const { action } = await replace.mutateAsync({ params, body: draft } as unknown as InputOf<'replaceAction'>);
      toast(`${action.title || action.identifier} was saved`);
      const saved = { params: { action_identifier: action.identifier } };
      queries.setQueryData(['getAction', saved], { ok: true, action });
      setBase(action);
      if (action.identifier !== base.identifier) await navigate({ to: automationAddress(action.identifier) });
    } catch (error) {
      // what the server refused stands over the form
      if (!replace.isError) toast({ text: (error as Error).message, kind: 'failure' });
    } finally {
      setAsking(false);
    }
  };
  return (
    <AutomationEditor
      // what was saved is the new beginning
      key={base.updatedAt}
      base={asDraft(base)}
      onDirty={setDirty}
      isBusy={replace.isPending || isAsking}
      error={replace.error}
      onReset={replace.reset}
      onSave={(draft) => void save(draft)}
    />
  );
}

function DeleteAutomation({ automation: { identifier, title } }: { automation: Automation }) {
  const remove = useChange('deleteAction', { staleAfter: ['listActions'] });
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toast = useToast();
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${title || identifier}`,
      consequence: 'It never runs again. Its runs stay. To stop it for a while, pause it instead.',
      verb: 'Delete the automation',
    });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ params: { action_identifier: identifier } });
      toast(`${title || identifier} was deleted`);
      await navigate({ to: '/builder/automations' });
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    }
  };
  return (
    <Button variant="default" onClick={() => void ask()} loading={remove.isPending}>
      Delete
    </Button>
  );
}
