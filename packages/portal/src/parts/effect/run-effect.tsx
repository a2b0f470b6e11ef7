import { Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { effectSentence } from './effect-sentence.ts';

/** Of a list, so many rows say what will happen: each is worked out by trying it. */
export const effectsMost = 10;

/** What will happen if a waiting run is approved, in one sentence; nothing where the server does not say it. */
export function RunEffect({ run }: { run: string }) {
  const { data, error } = useRead('getRunDecision', { params: { run_id: run } });
  if (error || (data && !data.decision.effect)) return null;
  return (
    <Text size="sm" mt={4} dir="auto" aria-busy={data === undefined}>
      {data?.decision.effect ? effectSentence(data.decision.effect) : '\u00a0'}
    </Text>
  );
}
