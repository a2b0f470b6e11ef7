import { Alert, Button, Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Block } from '../../kit/block.tsx';
import { useConfirm } from '../../kit/confirm.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';

type Guard = AnswerOf<'getDeleteGuard'>['deleteGuard'];

/** The delete guard of an integration, and resyncs that wait for a decision because of it. */
export function DeleteGuard({ installationId }: { installationId: string }) {
  const params = { integration_identifier: installationId };
  const reading = useRead('getDeleteGuard', { params }, { everyMs: 15_000 });
  return (
    <Block title={t('Guard against mass deletion')}>
      <Reading of={reading}>
        {({ deleteGuard }) => (
          <>
            {deleteGuard.question && <Decision params={params} question={deleteGuard.question} />}
            {deleteGuard.liftedUntil && Date.parse(deleteGuard.liftedUntil) > Date.now() && (
              <Alert color="yellow" mb="md" title={t('Deletions pass for now')}>
                <Sentence
                  text="Until its next resync is completed, or <time/>."
                  parts={{ time: <RelativeTime at={deleteGuard.liftedUntil} /> }}
                />
              </Alert>
            )}
            <Share key={String(deleteGuard.threshold)} params={params} guard={deleteGuard} />
          </>
        )}
      </Reading>
    </Block>
  );
}

/** A type alias, since an interface is not assignable to a string map. */
type Params = { readonly integration_identifier: string };

function Decision({ params, question }: { params: Params; question: NonNullable<Guard['question']> }) {
  const { id, askedAt, entitiesBefore, entitiesDeleted, refused } = question;
  const decide = useChange('decideDeletion', {
    staleAfter: ['getDeleteGuard', 'getResyncRequest', 'getIntegration'],
  });
  const confirm = useConfirm();
  const attempt = useAttempt();
  const total = entitiesDeleted + refused;
  const end = async (decision: 'confirm' | 'decline') => {
    if (decision === 'confirm') {
      const isSure = await confirm({
        title: t('Let {total} of {entitiesBefore} entities be deleted', {
          total: total.toLocaleString(locale),
          entitiesBefore: entitiesBefore.toLocaleString(locale),
        }),
        consequence: t(
          'The integration may delete any number of entities until its next resync ends, for at most a day. A resync is requested. Deleted entities cannot be restored.',
        ),
        verb: t('Let them be deleted'),
      });
      if (!isSure) return;
    }
    await attempt(
      () => decide.mutateAsync({ params, body: { questionId: id, decision } }),
      decision === 'confirm' ? t('The deletion is allowed. A resync was requested') : t('The deletion was refused'),
    );
  };
  return (
    <Alert color="red" mb="md" title={t('A deletion waits for a decision')}>
      <Text size="sm" mb="sm">
        {`${t('Its resync would delete {total} of {entitiesBefore} entities. {entitiesDeleted} are deleted so far; {refused} were stopped,', { total: total.toLocaleString(locale), entitiesBefore: entitiesBefore.toLocaleString(locale), entitiesDeleted: entitiesDeleted.toLocaleString(locale), refused: refused.toLocaleString(locale) })} `}
        <RelativeTime at={askedAt} />.
      </Text>
      <Group gap="xs">
        <NeedsOperation operation="decideDeletion" to={t('decide on the deletion')}>
          <Button size="xs" color="red" loading={decide.isPending} onClick={() => void end('confirm')}>
            {t('Let it pass')}
          </Button>
        </NeedsOperation>
        <NeedsOperation operation="decideDeletion" to={t('decide on the deletion')}>
          <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => void end('decline')}>
            {t('Refuse')}
          </Button>
        </NeedsOperation>
      </Group>
    </Alert>
  );
}

function Share({ params, guard: { threshold } }: { params: Params; guard: Guard }) {
  const put = useChange('putDeleteGuard', { staleAfter: ['getDeleteGuard'] });
  const [share, setShare] = useState<number | string>(threshold === null ? '' : Math.round(threshold * 1000) / 10);
  const attempt = useAttempt();
  const save = (next: number | null) =>
    attempt(
      () => put.mutateAsync({ params, body: { threshold: next } }),
      next === null ? t('The guard was taken away') : t('The guard was set'),
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof share === 'number') void save(share / 100);
      }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {threshold === null
          ? t(
              'The integration may delete everything it wrote. With a guard, a resync that would delete more than a share stops and asks here.',
            )
          : t('A resync that would delete more than this share of its entities is stopped and asks here.')}
      </Text>
      <Group align="flex-end" gap="xs">
        <NumberInput
          label={t('May delete at most')}
          suffix=" %"
          min={0}
          max={100}
          decimalScale={1}
          clampBehavior="strict"
          w={160}
          value={share}
          onChange={setShare}
        />
        <NeedsOperation operation="putDeleteGuard" to={t('guard against mass deletion')}>
          <Button type="submit" variant="default" loading={put.isPending} disabled={typeof share !== 'number'}>
            {t('Set the guard')}
          </Button>
        </NeedsOperation>
        {threshold !== null && (
          <NeedsOperation operation="putDeleteGuard" to={t('take the guard away')}>
            <Button variant="subtle" disabled={put.isPending} onClick={() => void save(null)}>
              {t('Take it away')}
            </Button>
          </NeedsOperation>
        )}
      </Group>
    </form>
  );
}
