import { Text } from '@mantine/core';
import type { Question } from './confirm.types.ts';
import { DiffView } from './diff-view.tsx';

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
    title: `${name} was changed meanwhile`,
    consequence: (
      <>
        <Text>
          {by ?? 'Somebody'} saved it after you began. Saving now replaces what they changed. Cancel to go on writing,
          or cancel and discard your changes to see theirs.
        </Text>
        <Version title="Theirs, which is saved" before={base} after={theirs} />
        <Version title="Yours, not saved" before={base} after={mine} />
      </>
    ),
    verb: 'Replace their changes',
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
      {JSON.stringify(before) === JSON.stringify(after) && <Text size="sm">No difference from before.</Text>}
    </section>
  );
}
