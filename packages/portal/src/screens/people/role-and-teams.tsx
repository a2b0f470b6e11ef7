import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { moderatedBlueprint, moderatorRole, type RoleKind, roleKind } from './people-filter.ts';

interface ListInput {
  readonly value?: string[];
  readonly onChange: (value: string[]) => void;
}

const kinds: readonly { readonly kind: RoleKind; readonly text: string }[] = [
  { kind: 'Member', text: t('Reads the catalog and runs actions') },
  { kind: 'Admin', text: t('Manages everything, including people and credentials') },
  { kind: 'Moderator', text: t('A member who also manages some blueprints and their entities') },
];

/** The inputs for roles and teams, shared by invitation and edit. */
export function RolesAndTeams({ roles, teams }: { roles: ListInput; teams: ListInput }) {
  const known = useRead('listTeams');
  const names = (known.data?.teams ?? []).flatMap(({ name }) => (name ? [name] : []));
  return (
    <>
      <RoleChoice roles={roles} />
      <MultiSelect
        label={t('Teams')}
        placeholder={(teams.value ?? []).length === 0 ? t('No team yet') : ''}
        searchable
        nothingFoundMessage={t('No team of that name')}
        data={[...new Set([...names, ...(teams.value ?? [])])]}
        {...teams}
      />
    </>
  );
}

function RoleChoice({ roles: { value = [], onChange, ...input } }: { roles: ListInput }) {
  // without a blueprint yet, a moderator has no role to be recognized by
  const [kind, setKind] = useState<RoleKind>(roleKind(value));
  const blueprints = useRead('listBlueprints', undefined, { isOn: kind === 'Moderator' });
  const moderated = value.flatMap((role) => moderatedBlueprint(role) ?? []);
  const found = (blueprints.data?.blueprints ?? []).map(({ identifier, title }) => ({
    value: identifier,
    label: `${title} (${identifier})`,
  }));
  const missing = moderated.filter((each) => !found.some((option) => option.value === each));
  const choose = (next: string) => {
    setKind(next as RoleKind);
    onChange(next === 'Moderator' ? [] : [next]);
  };
  return (
    <Radio.Group label={t('Role')} {...input} value={kind} onChange={choose}>
      <Stack gap="xs" mt={4}>
        {kinds.map(({ kind: each, text }) => (
          <Radio key={each} value={each} label={each} description={text} />
        ))}
        {kind === 'Moderator' && (
          <MultiSelect
            label={t('Blueprints')}
            ms={32}
            placeholder={moderated.length === 0 ? t('Choose one or more') : ''}
            searchable
            data={[...found, ...missing.map((each) => ({ value: each, label: each }))]}
            value={moderated}
            onChange={(next) => onChange(next.map(moderatorRole))}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}
