import { Stack, Text } from '@mantine/core';
import type { ScorecardPreview } from '@portolan/contract/scorecards';
import { LevelTable } from './preview-panel.tsx';
import type { Draft } from './scorecard-draft.ts';
import { changeSentence } from './use-preview.ts';

/** What a save changes, before it is made. */
export function SaveSummary({ draft, found }: { draft: Draft; found: ScorecardPreview }) {
  return (
    <Stack gap="sm">
      <Text>{changeSentence(found)}</Text>
      <LevelTable draft={draft} found={found} />
    </Stack>
  );
}
