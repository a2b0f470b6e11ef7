import { Alert, Button, Group, Text } from '@mantine/core';
import { type AnswerOf, call, errorCode } from '../../api/api.ts';
import { useChange, useRefresh } from '../../api/query.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import type { ShownItem } from './item-card.tsx';
import { describePlace, isSafe, isSame, type ManualItem } from './manual-item.ts';
import { useOneByOne } from './one-by-one.ts';
import { Rewrite } from './rewrite.tsx';
import { WalkProgress } from './walk-progress.tsx';

type VerifiedItem = AnswerOf<'verifyUsersAndTeams'>['verification']['items'][number];

/** An item as planned before the migration, with its current state. */
export interface SettledItem extends ShownItem, Pick<VerifiedItem, 'current' | 'applied' | 'accepted'> {}

/** Its suggestion is not applied yet, and its place is unchanged. */
function canApply({ item, current, applied }: SettledItem): boolean {
  return item.suggestion !== undefined && applied === null && isSame(current, item.before);
}

/** Someone has written another value there. */
function isChanged({ item, current, applied }: SettledItem): boolean {
  return !isSame(current, applied ? item.suggestion?.value : item.before);
}

/** Applies the suggestion of an item, or reverts it; a manual change in the meantime is shown beside the suggestion. */
export function ApplyItem({ shown }: { shown: SettledItem }) {
  const { item, state, current, applied, accepted } = shown;
  const staleAfter = ['verifyUsersAndTeams'] as const;
  const apply = useChange('applyUsersAndTeamsSuggestion', { staleAfter: [...staleAfter] });
  const revert = useChange('revertUsersAndTeamsSuggestion', { staleAfter: [...staleAfter] });
  const refresh = useRefresh();
  const toast = useToast();
  const input = { params: { item_id: item.id } };
  const change = async (by: typeof apply | typeof revert, text: string) => {
    apply.reset();
    revert.reset();
    try {
      await by.mutateAsync({ ...input });
      toast(text);
    } catch {
      // the error is shown beside the current value
      void refresh(['verifyUsersAndTeams']);
    }
  };
  const error = apply.error ?? revert.error;
  const isBusy = apply.isPending || revert.isPending;
  return (
    <>
      {accepted?.state === 'refused' && !applied && (
        <Alert color="yellow" title={t('Accepted, but not written')}>
          {accepted.message}
        </Alert>
      )}
      {item.suggestion && isChanged(shown) && (
        <Rewrite
          before={applied ? item.suggestion.value : item.before}
          after={current}
          label={applied ? t('Changed since it was applied') : t('Changed since the migration began')}
        />
      )}
      {error && (
        <ErrorState
          error={error}
          what={
            errorCode(error) === 'stale_version'
              ? t('Changed by somebody else since, and left unchanged')
              : t('The change was refused')
          }
        />
      )}
      <Group gap="sm">
        {canApply(shown) && (
          <Button size="xs" loading={isBusy} onClick={() => void change(apply, t('The suggestion is applied'))}>
            {t('Apply')}
          </Button>
        )}
        {applied && (
          <Button
            size="xs"
            variant="default"
            loading={isBusy}
            disabled={isChanged(shown)}
            onClick={() => void change(revert, t('The change was taken back'))}
          >
            {t('Take back')}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {applied ? (
            <>
              <Sentence
                text="Applied by {by} <time/>"
                values={{ by: applied.by }}
                parts={{ time: <RelativeTime at={applied.at} /> }}
              />
              {isChanged(shown) && t('; changed since, so it is taken back by hand')}.
            </>
          ) : (
            byHand(shown, state)
          )}
        </Text>
      </Group>
    </>
  );
}

function byHand(shown: SettledItem, state: string): string {
  if (state === 'done') return t('Settled by hand.');
  if (!shown.item.suggestion) return t('To be looked at and changed by hand.');
  return canApply(shown) ? '' : t('To be changed by hand.');
}

/** Applies all safe suggestions, one after another. */
export function ApplyAll({ items, organization }: { items: readonly SettledItem[]; organization: string }) {
  const refresh = useRefresh();
  const confirm = useConfirm();
  const safe = items.filter((each) => each.state === 'broken' && canApply(each) && isSafe(each.item));
  const { walk, begin, stop } = useOneByOne(
    ({ id }: ManualItem) => call('applyUsersAndTeamsSuggestion', { params: { item_id: id } }),
    describePlace,
  );
  const isRunning = walk !== undefined && !walk.isOver;
  const ask = async () => {
    const isSure = await confirm({
      title: t('Apply {count} suggestions in {organization}', {
        count: safe.length.toLocaleString(locale),
        organization,
      }),
      consequence: t(
        'Each is written as if you had changed the document yourself, and is in the audit log. What was changed since the migration began is left alone. Each can be taken back, and undoing the migration takes all of them back.',
      ),
      verb: t('Apply them'),
    });
    if (!isSure) return;
    await begin(safe.map(({ item }) => item));
    await refresh(['verifyUsersAndTeams']);
  };
  return (
    <>
      {(safe.length > 0 || isRunning) && (
        <Group gap="sm">
          <Button size="xs" loading={isRunning} onClick={() => void ask()}>
            {t('Apply all that are safe ({count})', { count: safe.length.toLocaleString(locale) })}
          </Button>
          <Text size="sm" c="dimmed">
            {t(
              'Safe suggestions mend what would break, apply to unchanged documents, and add without removing anything.',
            )}
          </Text>
        </Group>
      )}
      {walk && <WalkProgress walk={walk} verb={t('applied')} onStop={stop} />}
    </>
  );
}
