import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { errorCode } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { duration, exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import type { Report } from './stage.ts';

/** The time left for an undo, and its button. */
export function UndoStep({ report }: { report: Report }) {
  const left = useTimeLeft(report.undoUntil);
  const undo = useChange('undoUsersAndTeams', { staleAfter: ['getUsersAndTeams'] });
  const confirm = useConfirm();
  const ask = async () => {
    const isSure = await confirm({
      title: t('Undo the migration of users and teams'),
      consequence: t(
        'Entities that nobody has changed since are as they were before. Later changes are kept and shown the old way, with teams by title. Anything fixed by hand for the migration must be changed back by hand.',
      ),
      verb: t('Undo the migration'),
    });
    if (isSure) undo.mutate({});
  };
  if (report.undoUntil === null || left <= 0) {
    return (
      <Text>
        {report.undoUntil === null
          ? t('There is nothing to undo.')
          : t('The migration could be undone until {exact}.', { exact: exact(new Date(report.undoUntil)) })}
      </Text>
    );
  }
  return (
    <Stack align="flex-start">
      <Text>
        <Sentence
          text="The migration can be undone for <strong/>, until {exact}."
          values={{ exact: exact(new Date(report.undoUntil)) }}
          parts={{ strong: <strong>{duration(left)}</strong> }}
        />
      </Text>
      {undo.error && (
        <ErrorState
          error={undo.error}
          what={
            errorCode(undo.error) === 'not_undoable'
              ? t('The migration cannot be undone now. Nothing was changed')
              : t('The migration was not undone')
          }
        />
      )}
      <Button color="red" variant="light" loading={undo.isPending} onClick={() => void ask()}>
        {t('Undo the migration')}
      </Button>
    </Stack>
  );
}

/** Milliseconds until then, updated every half minute. */
function useTimeLeft(until: string | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return until === null ? 0 : new Date(until).getTime() - now;
}
