import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import type { Plan } from './stage.ts';

const noTeam = ' none';

/** Resolves ambiguous team titles and, while teams are not entities yet, chooses their identifiers. */
export function Choices({ plan }: { plan: Plan }) {
  const [identifiers, setIdentifiers] = useState(plan.choices.identifiers ?? {});
  const [duplicates, setDuplicates] = useState(plan.choices.duplicates ?? {});
  const save = useChange('chooseForUsersAndTeams', { staleAfter: ['planUsersAndTeams', 'rehearseUsersAndTeams'] });
  const toast = useToast();
  const canName = plan.model === 'legacy';
  const titles = new Set(canName ? plan.teams.map(({ title }) => title) : []);
  // only titles shared by several teams: a title that equals another team's identifier still means its own team
  const isOfSeveral = (title: string) => plan.teams.filter((team) => team.title === title).length > 1;
  const doubles = plan.collisions.filter(({ title }) => isOfSeveral(title));
  const shared = new Set(doubles.map(({ title }) => title));
  // decisions about teams or titles that no longer exist
  const strayIdentifiers = Object.keys(identifiers).filter((title) => !titles.has(title));
  const strayDuplicates = Object.keys(duplicates).filter((title) => !shared.has(title));
  const change = { ...plan.choices, identifiers, duplicates };
  const isChanged =
    JSON.stringify([identifiers, duplicates]) !==
    JSON.stringify([plan.choices.identifiers ?? {}, plan.choices.duplicates ?? {}]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: change }, { onSuccess: () => toast('Your decisions are kept') });
      }}
    >
      <Stack gap="sm">
        {doubles.map(({ title, identifiers: meant }) => (
          <Select
            key={title}
            label={`Which team is "${title}"`}
            description="Several teams have this title"
            placeholder="Not decided"
            maw={420}
            clearable
            data={[
              ...meant.map((identifier) => ({ value: identifier, label: identifier })),
              { value: noTeam, label: 'None of them: it grants nothing' },
            ]}
            value={Object.hasOwn(duplicates, title) ? (duplicates[title] ?? noTeam) : null}
            onChange={(chosen) =>
              setDuplicates(withEntry(duplicates, title, chosen === noTeam ? null : (chosen ?? undefined)))
            }
          />
        ))}
        {canName && (
          <details className={classes.details}>
            <summary>
              <span className={classes.name}>Identifiers of teams ({plan.teams.length.toLocaleString()})</span>{' '}
              <span className={classes.note}>they replace titles; change those you want otherwise</span>
            </summary>
            <Some of={plan.teams} what="teams" pageSize={50}>
              {(shown) =>
                shown.map(({ title, identifier, source }) => (
                  <TextInput
                    key={`${title} ${identifier}`}
                    className={classes.inside ?? ''}
                    label={title}
                    maw={420}
                    placeholder={source === 'chosen' ? '' : identifier}
                    value={identifiers[title] ?? ''}
                    onChange={({ currentTarget }) =>
                      setIdentifiers(withEntry(identifiers, title, currentTarget.value.trim() || undefined))
                    }
                  />
                ))
              }
            </Some>
          </details>
        )}
        {strayIdentifiers.map((title) => (
          <Stray
            key={title}
            text={`Identifier "${identifiers[title]}" for "${title}"`}
            onDrop={() => setIdentifiers(withEntry<string>(identifiers, title, undefined))}
          />
        ))}
        {strayDuplicates.map((title) => (
          <Stray
            key={title}
            text={`"${title}" means ${duplicates[title] ?? 'no team'}`}
            onDrop={() => setDuplicates(withEntry<string | null>(duplicates, title, undefined))}
          />
        ))}
        {save.error && <ErrorState error={save.error} what="Your decisions were not kept" />}
        <Group gap="sm">
          <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
            Keep decisions
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              Not kept yet. The plan is made anew with them.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** An obsolete decision, which can only be removed. */
function Stray({ text, onDrop }: { text: string; onDrop: () => void }) {
  return (
    <Group gap="sm">
      <Text>{text}</Text>
      <Button variant="default" size="compact-sm" onClick={onDrop} aria-label={`Take back: ${text}`}>
        Take back
      </Button>
    </Group>
  );
}

function withEntry<Value>(
  all: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const rest = Object.fromEntries(Object.entries(all).filter(([each]) => each !== key));
  return value === undefined ? rest : { ...rest, [key]: value };
}
