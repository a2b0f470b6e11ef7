import { Stack, Switch, Textarea, TextInput, Title } from '@mantine/core';
import { withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { IconSelect } from '../../../parts/icon-select.tsx';
import { NamingFields } from '../../../parts/naming-fields.tsx';
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
      <NamingFields
        title={draft.title}
        identifier={draft.identifier}
        isNew={isNew}
        most={60}
        issues={faults}
        onChange={({ title, ...identifier }) => {
          const named = title === undefined ? draft : withKey(draft as never, 'title', (title || undefined) as never);
          change(
            { ...(named as typeof draft), ...identifier },
            title === undefined ? 'workflow identifier' : 'workflow title',
          );
        }}
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
