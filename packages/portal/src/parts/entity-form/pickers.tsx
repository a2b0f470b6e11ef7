import { MultiSelect, type OptionsFilter, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { useTeams } from '../entities/team-form.ts';
import { titleKey, useTitles } from '../entities/titles.ts';

interface PickerProps {
  readonly label: string;
  readonly description?: string;
  readonly withAsterisk?: boolean;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isMany: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function toChosen(value: unknown): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
}

/** Disables the library's filter: the server has already filtered. */
const everything: OptionsFilter = ({ options }) => options;

/** Picks one or several search results; earlier choices stay among the options. */
function Picker({
  isMany,
  value,
  onChange,
  choices,
  onSearch,
  labelOf,
  nothing = t('No matches'),
  ...common
}: PickerProps & {
  /** Said where nothing can be picked. */
  nothing?: string;
  choices: readonly Choice[];
  onSearch?: (text: string) => void;
  labelOf: (value: string) => string;
}) {
  const chosen = toChosen(value);
  const kept = chosen
    .filter((each) => !choices.some((choice) => choice.value === each))
    .map((each) => ({ value: each, label: labelOf(each) }));
  const data = [...choices, ...kept];
  const search = onSearch ? { onSearchChange: onSearch, filter: everything } : {};
  const { error, isDisabled, ...texts } = common;
  const shared = {
    ...texts,
    ...(error ? { error } : {}),
    ...(isDisabled ? { disabled: true } : {}),
    ...search,
    data,
    searchable: true,
    clearable: common.withAsterisk !== true,
    nothingFoundMessage: nothing,
  };
  if (isMany)
    return <MultiSelect {...shared} value={[...chosen]} onChange={(list) => onChange(list)} hidePickedOptions />;
  return <Select {...shared} value={chosen[0] ?? null} onChange={(picked) => onChange(picked)} />;
}

/** Picks entities of a blueprint by title; the server searches. */
export function EntityPicker({ blueprint, ...props }: PickerProps & { blueprint: string }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, 200);
  const chosen = toChosen(props.value);
  const key = chosen.join('\n');
  const wanted = useMemo(() => [{ blueprint, identifiers: key === '' ? [] : key.split('\n') }], [blueprint, key]);
  const titles = useTitles(wanted);
  const labelOf = (identifier: string) => titles.get(titleKey(blueprint, identifier)) ?? identifier;
  // the input shows the title of the chosen entity: no search term
  const isTitle = !props.isMany && chosen[0] !== undefined && asked === labelOf(chosen[0]);
  const found = useRead(
    'searchBlueprintEntities',
    {
      params: { blueprint_identifier: blueprint },
      body: {
        limit: 50,
        include: ['$title', '$identifier'],
        sort: [{ property: '$title', order: 'asc' as const }],
        ...(asked && !isTitle
          ? {
              query: {
                combinator: 'or' as const,
                rules: [
                  { property: '$title', operator: 'contains' as const, value: asked.slice(0, 200) },
                  { property: '$identifier', operator: 'contains' as const, value: asked.slice(0, 200) },
                ],
              },
            }
          : {}),
      },
    },
    { keepsPrevious: true },
  );
  const choices = (found.data?.entities ?? []).map(({ identifier = '', title }) => ({
    value: identifier,
    label: title || identifier,
  }));
  const error =
    props.error ??
    (found.error ? t('The entities could not be read: {message}', { message: found.error.message }) : undefined);
  return <Picker {...props} error={error} choices={choices} onSearch={setText} labelOf={labelOf} />;
}

/** Picks teams by name; the value is in the organization's form (see `useTeams`). */
export function TeamPicker(props: PickerProps) {
  const session = useSession();
  const { teams, hasNone, entityForm, nameOf } = useTeams();
  const choices = teams
    .map((team) => ({ value: entityForm(team), label: team.name }))
    .filter(({ value }, index, all) => all.findIndex((other) => other.value === value) === index);
  if (!hasNone) return <Picker {...props} choices={choices} labelOf={nameOf} />;
  return (
    <div>
      <Picker {...props} nothing={t('There is no team yet')} choices={choices} labelOf={nameOf} />
      {isAdmin(session) && (
        <Text size="sm" mt={4}>
          <Sentence
            text="Make the first team under <link>Teams</link>."
            parts={{ link: <AnchorLink to="/builder/teams" /> }}
          />
        </Text>
      )}
    </div>
  );
}

/** Picks users by name or email. An unknown email can only be entered in the JSON view. */
export function PersonPicker(props: PickerProps) {
  const { data } = useRead('listUsers', { query: { fields: ['email', 'firstName', 'lastName'] } });
  const choices = (data?.users ?? []).flatMap(({ email, firstName, lastName }) => {
    if (!email) return [];
    const name = [firstName, lastName].filter(Boolean).join(' ');
    return [{ value: email, label: name ? `${name} (${email})` : email }];
  });
  return <Picker {...props} choices={choices} labelOf={(value) => value} />;
}
