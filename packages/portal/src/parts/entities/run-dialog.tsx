import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { ActionForm, formTrigger } from '../action-form.tsx';
import type { FormValues } from '../form-model.ts';
import { counted } from './counted.ts';
import classes from './entities.module.css';

type Action = AnswerOf<'listActions'>['actions'][number];

/** How many entities an action is run on from one form: each is a run of its own. */
const mostRuns = 50;

interface Result {
  readonly entity: string;
  readonly run?: string;
  readonly problem?: string;
}

/** Fills in the form once, then runs the action on each entity and lists what came of it. */
export function RunDialog({
  title,
  identifiers,
  action,
  onClose,
}: {
  title: string;
  identifiers: readonly string[];
  action: Action;
  onClose: () => void;
}) {
  const [results, setResults] = useState<readonly Result[]>();
  const [values, setValues] = useState<FormValues>({});
  const trigger = formTrigger(action.trigger);
  const some = identifiers.slice(0, mostRuns);
  const name = action.title ?? action.identifier;
  const run = async (on: readonly string[], properties: FormValues, before: readonly Result[] = []) => {
    setValues(properties);
    let all = before;
    setResults(all);
    for (const entity of on) {
      all = [...all, await runOne(action.identifier, entity, properties)];
      setResults(all);
    }
  };
  const failed = (results ?? []).filter(({ problem }) => problem !== undefined).map(({ entity }) => entity);
  return (
    <Dialog opened onClose={onClose} title={`${name}: ${counted(some.length, title)}`} size="lg">
      <Stack>
        {identifiers.length > some.length && (
          <Text size="sm">
            {t('Up to {mostRuns} runs start at once: the first {mostRuns} of {count} are taken.', {
              mostRuns,
              count: identifiers.length.toLocaleString(locale),
            })}
          </Text>
        )}
        {!results && trigger && (
          <ActionForm
            action={action.identifier}
            trigger={trigger}
            entity={some[0]}
            isForMany={some.length > 1}
            verb={t('Run on {count}', { count: counted(some.length, title) })}
            onSend={(properties) => run(some, properties)}
            onCancel={onClose}
          />
        )}
        {results && (
          <>
            <Text role="status">
              {t('{count} of {count2} requested, {count3} refused.', {
                count: results.length,
                count2: some.length,
                count3: failed.length,
              })}
            </Text>
            <ul className={classes.refused} aria-label={t('Runs')}>
              {results.map(({ entity, run: id, problem }) => (
                <li key={entity}>
                  <strong dir="auto">{entity}</strong>{' '}
                  {id ? (
                    <AnchorLink to="/runs/$run" params={{ run: id }}>
                      {t('Open run')}
                    </AnchorLink>
                  ) : (
                    problem
                  )}
                </li>
              ))}
            </ul>
            <Group justify="flex-end">
              {failed.length > 0 && results.length === some.length && (
                <Button
                  variant="default"
                  onClick={() =>
                    void run(
                      failed,
                      values,
                      results.filter(({ problem }) => problem === undefined),
                    )
                  }
                >
                  {t('Retry {count} refused', { count: failed.length })}
                </Button>
              )}
              <Button onClick={onClose}>{t('Close')}</Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

async function runOne(action: string, entity: string, properties: FormValues): Promise<Result> {
  try {
    const { run } = await call('startRun', {
      params: { action_identifier: action },
      body: { entity, properties },
    });
    return { entity, ...(run.id ? { run: run.id } : {}) };
  } catch (error) {
    return { entity, problem: (error as Error).message };
  }
}
