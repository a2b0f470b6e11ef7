import { Button, Group, Switch, Tabs } from '@mantine/core';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs, NeedsSwitch } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { AuthorityNotice } from '../../parts/actions/authority-notice.tsx';
import { type StoredAction, toWritten } from '../../parts/actions/stored-action.ts';
import { useActionSave } from '../../parts/actions/use-action-save.ts';
import { useDeleteAction } from '../../parts/actions/use-delete-action.ts';
import { usePublish } from '../../parts/actions/use-publish.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { formAddress } from '../../parts/run-things.ts';
import { automationAddress, type Draft, triggerWords } from './automation-draft.ts';
import { AutomationEditor } from './automation-editor.tsx';
import { AutomationRuns } from './automation-runs.tsx';
import { TestAutomation } from './test-automation.tsx';

/** One automation: its editor, a test on past events, and its runs. */
export function Screen() {
  const identifier = useParam('automation');
  const reading = useRead('getAction', { params: { action_identifier: identifier } });
  return (
    <Reading of={reading} isScreen>
      {({ action, authority }) =>
        action.trigger['type'] === 'automation' ? (
          <>
            <AuthorityNotice authority={authority} />
            <Shown key={action.identifier} automation={action} />
          </>
        ) : (
          <Navigate {...formAddress(action.identifier)} replace />
        )
      }
    </Reading>
  );
}

function Shown({ automation }: { automation: StoredAction }) {
  const { identifier, title, trigger, publish } = automation;
  const [tab = 'edit', setTab] = useUrlState('/builder/automations/$automation', 'tab');
  const turning = usePublish();
  const mayChange = useMay('replaceAction');
  const mayDelete = useMay('deleteAction');
  const mayTest = useMay('testAutomation');
  const deleting = useDeleteAction(
    'automation',
    t(
      'The automation never runs again. Its past runs are kept. This cannot be undone. To stop it for a while, pause it instead.',
    ),
    '/builder/automations',
  );
  const isOn = publish !== false;
  return (
    <>
      <PageHeader
        title={title || identifier}
        trail={[{ to: '/builder/automations', label: t('Automations') }]}
        description={
          <Group gap={4}>
            {triggerWords(trigger)} · <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the identifier')} />
          </Group>
        }
        actions={
          <>
            <NeedsSwitch
              permit={mayChange}
              to={t('turn the automation {title} on or off', { title: title || identifier })}
            >
              <Switch
                label={isOn ? t('On') : t('Paused: it does not run')}
                checked={isOn}
                disabled={turning.isPending}
                onChange={({ currentTarget }) => void turning.turn(identifier, currentTarget.checked)}
              />
            </NeedsSwitch>
            <Needs permit={mayDelete} to={t('delete the automation {title}', { title: title || identifier })}>
              <Button variant="default" onClick={() => void deleting.ask(automation)} loading={deleting.isPending}>
                {t('Delete')}
              </Button>
            </Needs>
          </>
        }
      />
      <Tabs value={tab} onChange={(next) => setTab((next ?? undefined) as typeof tab | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">{t('When, if, then')}</Tabs.Tab>
          <Tabs.Tab value="test">{t('Test with a past event')}</Tabs.Tab>
          <Tabs.Tab value="runs">{t('Runs')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit">
          <ReadOnly permit={mayChange} to={t('change the automation {title}', { title: title || identifier })}>
            <Edit latest={automation} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <ReadOnly permit={mayTest} to={t('test the automation {title}', { title: title || identifier })}>
            <TestAutomation automation={automation} />
          </ReadOnly>
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <AutomationRuns identifier={identifier} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Saves the whole draft; if someone else saved first, the user sees both versions and decides. */
function Edit({ latest }: { latest: StoredAction }) {
  const [isDirty, setDirty] = useState(false);
  const saving = useActionSave(latest, isDirty);
  const { base } = saving;
  const navigate = useNavigate();
  const save = async (draft: Draft) => {
    const saved = await saving.save(draft);
    if (saved && saved.identifier !== base.identifier) await navigate(automationAddress(saved.identifier));
  };
  return (
    <AutomationEditor
      key={saving.round}
      base={toWritten(base)}
      onDirty={setDirty}
      isBusy={saving.isBusy}
      error={saving.error}
      conflict={saving.conflict}
      onReset={saving.reset}
      onRebase={saving.rebase}
      onSave={(draft) => void save(draft)}
    />
  );
}
