import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
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
        save.mutate({ body: change }, { onSuccess: () => toast(t('Your decisions are kept')) });
      }}
    >
      <Stack gap="sm">
        {doubles.map(({ title, identifiers: meant }) => (
          <Select
            key={title}
            label={t('Which team is "{title}"', { title })}
            description={t('Several teams have this title')}
            placeholder={t('Not decided')}
            maw={420}
            clearable
            data={[
              ...meant.map((identifier) => ({ value: identifier, label: identifier })),
              { value: noTeam, label: t('None of them: it grants nothing') },
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
              <span className={classes.name}>
                {t('Identifiers of teams ({count})', { count: plan.teams.length.toLocaleString(locale) })}
              </span>{' '}
              <span className={classes.note}>{t('they replace titles; change those you want otherwise')}</span>
            </summary>
            <Some of={plan.teams} what={t('teams')} pageSize={50}>
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
            text={t('Identifier "{identifiers}" for "{title}"', { identifiers: identifiers[title], title })}
            onDrop={() => setIdentifiers(withEntry<string>(identifiers, title, undefined))}
          />
        ))}
        {strayDuplicates.map((title) => (
          <Stray
            key={title}
            text={t('"{title}" means {duplicates}', { title, duplicates: duplicates[title] ?? t('no team') })}
            onDrop={() => setDuplicates(withEntry<string | null>(duplicates, title, undefined))}
          />
        ))}
        {save.error && <ErrorState error={save.error} what={t('Your decisions were not kept')} />}
        <Group gap="sm">
          <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
            {t('Keep decisions')}
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              {t('Not saved yet. Saving makes a new plan with these choices.')}
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
      <Button variant="default" size="compact-sm" onClick={onDrop} aria-label={t('Take back: {text}', { text })}>
        {t('Take back')}
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
