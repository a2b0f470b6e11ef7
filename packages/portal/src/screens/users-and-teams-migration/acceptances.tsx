import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, call, errorCode, type InputOf } from '../../api/api.ts';
import { readKey, useChange } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { describePlace, isSafe, type ManualItem } from './manual-item.ts';
import { useOneByOne } from './one-by-one.ts';
import type { Plan } from './stage.ts';
import { WalkProgress } from './walk-progress.tsx';

type Acceptance = Plan['accepted'][number];

/** Updates the accepted suggestions in the cached plan, which is expensive to recompute. */
function useShowAccepted() {
  const queries = useQueryClient();
  return ({ accepted }: AnswerOf<'acceptUsersAndTeamsSuggestions'>) =>
    queries.setQueryData<AnswerOf<'planUsersAndTeams'>>(
      readKey('planUsersAndTeams'),
      (old) => old && { ...old, plan: { ...old.plan, accepted } },
    );
}

function seen({ id, suggestion }: ManualItem) {
  return { itemId: id, value: (suggestion?.value ?? null) as never };
}

/** Accepts a suggestion, so that the migration writes it, or withdraws the acceptance. */
export function AcceptItem({ item, acceptance }: { item: ManualItem; acceptance: Acceptance | undefined }) {
  const show = useShowAccepted();
  const change = useChange('acceptUsersAndTeamsSuggestions');
  const queries = useQueryClient();
  const send = async (body: NonNullable<InputOf<'acceptUsersAndTeamsSuggestions'>['body']>) => {
    try {
      show(await change.mutateAsync({ body }));
    } catch (error) {
      // the suggestion has changed: show the new one with the error
      if (errorCode(error) === 'stale_version') void queries.invalidateQueries({ queryKey: ['planUsersAndTeams'] });
    }
  };
  if (!item.suggestion && !acceptance) return null;
  const isDue = acceptance?.isCurrent === true;
  return (
    <>
      {acceptance && !isDue && (
        <Alert color="yellow" title={t('Accepted before it changed')}>
          {t('What was accepted is not what is suggested now, so it will not be written.')}
        </Alert>
      )}
      {change.error && (
        <ErrorState
          error={change.error}
          what={
            errorCode(change.error) === 'stale_version'
              ? t('Somebody else has changed the list')
              : t('The choice was not saved')
          }
        />
      )}
      <Group gap="sm">
        {item.suggestion && !isDue && (
          <Button size="xs" loading={change.isPending} onClick={() => void send({ accept: [seen(item)] })}>
            {t('Accept')}
          </Button>
        )}
        {acceptance && (
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => void send({ withdraw: [item.id] })}
          >
            {t('Withdraw')}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {acceptance && isDue ? (
            <Sentence
              text="Accepted by {by} <time/>: written right after the change."
              values={{ by: acceptance.by }}
              parts={{ time: <RelativeTime at={acceptance.at} /> }}
            />
          ) : (
            t('Accepted, it is written right after the change.')
          )}
        </Text>
      </Group>
    </>
  );
}

const atOnce = 50;

/** Accepts all safe suggestions, in batches. */
export function AcceptAll({ items, accepted }: { items: readonly ManualItem[]; accepted: Plan['accepted'] }) {
  const show = useShowAccepted();
  const due = new Set(accepted.flatMap(({ itemId, isCurrent }) => (isCurrent ? [itemId] : [])));
  const safe = items.filter((item) => isSafe(item) && !due.has(item.id));
  const { walk, begin, stop } = useOneByOne(
    async (batch: readonly ManualItem[]) =>
      show(await call('acceptUsersAndTeamsSuggestions', { body: { accept: batch.map(seen) } })),
    (batch) => batch.map(describePlace).join('; '),
  );
  const batches = Array.from({ length: Math.ceil(safe.length / atOnce) }, (_, index) =>
    safe.slice(index * atOnce, (index + 1) * atOnce),
  );
  const isRunning = walk !== undefined && !walk.isOver;
  return (
    <>
      <Group gap="sm" mb="xs">
        <Button
          variant="default"
          size="xs"
          disabled={safe.length === 0}
          loading={isRunning}
          onClick={() => void begin(batches)}
        >
          {t('Accept all that are safe ({count})', { count: safe.length.toLocaleString(locale) })}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {t('{size} accepted. Safe suggestions mend what would break and add without removing anything.', {
            size: due.size.toLocaleString(locale),
          })}
        </Text>
      </Group>
      {walk && (isRunning || walk.refused.length > 0) && (
        <WalkProgress walk={walk} verb={t('accepted')} onStop={stop} />
      )}
    </>
  );
}
