import { Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { issueAt } from '../../kit/refusal.ts';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import type { TabProps } from './tab-props.ts';

export function GeneralTab({ draft, onChange, issues, saved }: TabProps) {
  const { description, icon, includeInGlobalSearch, ...rest } = draft;
  const change = (part: Partial<typeof draft>) => onChange({ ...draft, ...part });
  return (
    <Stack className={surfaces.block ?? ''} maw={720}>
      <TextInput
        label={t('Title')}
        maxLength={100}
        value={draft.title}
        error={issueAt(issues, 'title')}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <TextInput
        label={t('Identifier')}
        description={
          saved.identifier.startsWith('_')
            ? t('Built-in blueprints keep theirs')
            : t('To rename it, change "identifier" in the JSON. What refers to it follows; scripts do not.')
        }
        value={draft.identifier}
        error={issueAt(issues, 'identifier')}
        readOnly
      />
      <Textarea
        label={t('Description')}
        maxLength={200}
        autosize
        minRows={2}
        value={description ?? ''}
        error={issueAt(issues, 'description')}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...draft,
            ...rest,
            ...(value === '' ? { description: undefined } : { description: value }),
          })
        }
      />
      <TextInput
        label={t('Icon')}
        description={t('A name such as Service, Rocket or Database')}
        value={icon ?? ''}
        error={issueAt(issues, 'icon')}
        onChange={({ currentTarget: { value } }) => change({ icon: value === '' ? undefined : value })}
      />
      <Switch
        label={t('Found by the search of the portal')}
        checked={includeInGlobalSearch !== false}
        onChange={({ currentTarget }) => change({ includeInGlobalSearch: currentTarget.checked })}
      />
      <Select
        label={t('Values for properties it does not have')}
        description={t('What becomes of an entity that is written with one')}
        allowDeselect={false}
        data={[
          { value: 'by-client', label: t('Dropped for integrations and webhooks, refused for everybody else') },
          { value: 'lenient', label: t('Dropped for everybody, with a warning') },
          { value: 'strict', label: t('Refused for everybody') },
        ]}
        value={draft.unknownProperties ?? 'by-client'}
        error={issueAt(issues, 'unknownProperties')}
        onChange={(value) => change({ unknownProperties: value as NonNullable<typeof draft.unknownProperties> })}
      />
    </Stack>
  );
}
