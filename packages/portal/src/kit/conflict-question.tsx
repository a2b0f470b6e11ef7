import { Text } from '@mantine/core';
import type { Question } from './confirm.types.ts';
import { DiffView } from './diff-view.tsx';
import { t } from './translate.ts';

/**
 * Confirmation after a conflicting save: what the other user changed, what would be saved now, and what is overwritten.
 */
export function conflictQuestion({
  name,
  by,
  base,
  theirs,
  mine,
}: {
  readonly name: string;
  readonly by?: string | undefined;
  /** The version from which the edit started. */
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}): Question {
  return {
    title: t('{name} was changed meanwhile', { name }),
    consequence: (
      <>
        <Text>
          {t(
            '{by} saved it after you began. Saving now replaces what they changed. Cancel to go on writing, or cancel and discard your changes to see theirs.',
            { by: by ?? t('Somebody') },
          )}
        </Text>
        <Version title={t('Theirs, which is saved')} before={base} after={theirs} />
        <Version title={t('Yours, not saved')} before={base} after={mine} />
      </>
    ),
    verb: t('Replace their changes'),
    isWide: true,
  };
}

function Version({ title, before, after }: { title: string; before: unknown; after: unknown }) {
  return (
    <section aria-label={title}>
      <Text fw={550} mt="md" mb={4}>
        {title}
      </Text>
      <DiffView before={before} after={after} />
      {JSON.stringify(before) === JSON.stringify(after) && <Text size="sm">{t('No difference from before.')}</Text>}
    </section>
  );
}
