import { Stack, Switch, Textarea, TextInput, Title } from '@mantine/core';
import { keyFor, withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { IconSelect } from '../../../parts/icon-select.tsx';
import { type Fault, ownFaults } from '../document/faults.ts';
import { FaultList } from './fault-list.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';

/** The form of the workflow itself, shown where no node is selected. */
export function WorkflowPanel({
  definition,
  faults,
  isNew,
}: {
  definition: WorkflowDraft;
  faults: readonly Fault[];
  isNew: boolean;
}) {
  const { draft, change } = definition;
  const set = (key: string, value: unknown) =>
    change(withKey(draft as never, key, value as never) as never, `workflow ${key}`);
  return (
    <Stack gap="md">
      <Title order={2} size="h3">
        {t('Workflow')}
      </Title>
      <FaultList faults={ownFaults(faults)} />
      <TextInput
        label={t('Title')}
        data-first-field
        maxLength={100}
        value={draft.title ?? ''}
        error={issueAt(faults, 'title')}
        onChange={({ currentTarget: { value } }) => {
          // the identifier of a new workflow follows its title until it is written itself
          const follows = isNew && draft.identifier === keyFor(draft.title ?? '').slice(0, 60);
          const next = withKey(draft as never, 'title', (value || undefined) as never) as never as typeof draft;
          change(follows ? { ...next, identifier: keyFor(value).slice(0, 60) } : next, 'workflow title');
        }}
      />
      <TextInput
        label={t('Identifier')}
        maxLength={60}
        value={draft.identifier}
        error={issueAt(faults, 'identifier')}
        onChange={({ currentTarget }) =>
          change({ ...draft, identifier: currentTarget.value.trim() }, 'workflow identifier')
        }
      />
      <Textarea
        label={t('Description')}
        description={t('Purpose, use and limits: people and models read this')}
        autosize
        minRows={2}
        maxLength={1100}
        value={draft.description ?? ''}
        error={issueAt(faults, 'description')}
        onChange={({ currentTarget: { value } }) => set('description', value || undefined)}
      />
      <TextInput
        label={t('Category')}
        description={t('Groups its cards in self-service')}
        maxLength={40}
        value={draft.category ?? ''}
        error={issueAt(faults, 'category')}
        onChange={({ currentTarget: { value } }) => set('category', value || undefined)}
      />
      <IconSelect value={draft.icon} onChange={(icon) => set('icon', icon || undefined)} />
      <Switch
        label={t('Everybody sees its runs')}
        description={t('Otherwise the person who started the run, those who are asked, and administrators')}
        checked={draft.allowAnyoneToViewRuns === true}
        onChange={({ currentTarget }) => set('allowAnyoneToViewRuns', currentTarget.checked)}
      />
    </Stack>
  );
}
