import { Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import { BothVersions } from '../../kit/both-versions.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { t } from '../../kit/translate.ts';

type VersionProps = Omit<ComponentProps<typeof BothVersions>, 'what' | 'theirs' | 'mine'>;

/** The two versions of a definition, each as its differences. */
export function ConflictView({
  base,
  mine,
  theirs,
  ...shown
}: VersionProps & { readonly base: unknown; readonly mine: unknown; readonly theirs: unknown }) {
  return (
    <BothVersions
      {...shown}
      theirs={<Version before={base} after={theirs} />}
      mine={<Version before={base} after={mine} />}
    />
  );
}

function Version({ before, after }: { before: unknown; after: unknown }) {
  if (JSON.stringify(before) === JSON.stringify(after)) return <Text size="sm">{t('No change that shows')}</Text>;
  return <DiffView before={before} after={after} />;
}
