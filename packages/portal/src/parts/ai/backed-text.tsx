import { Text } from '@mantine/core';
import type { Receipts } from '@portolan/contract/receipts';
import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { plural, t } from '../../kit/translate.ts';
import classes from './ai.module.css';
import type { Answer, AnswerPart } from './answer-events.ts';
import { ReceiptChip } from './receipt-chip.tsx';
import { countBacked, notesIn, numberRecords } from './receipt-places.ts';
import { StreamedMarkdown } from './streamed-markdown.tsx';

const chipsMax = 4;

/** A text of an answer; behind each sentence stands what backs it, as soon as that is known. */
export function BackedText({
  answer,
  part,
  isStreaming,
}: {
  answer: Answer;
  part: Extract<AnswerPart, { kind: 'text' }>;
  isStreaming: boolean;
}) {
  const { receipts } = answer;
  const notes = useMemo(() => (isStreaming ? [] : notesIn(answer, part)), [answer, part, isStreaming]);
  const numbers = useMemo(() => receipts && numberRecords(receipts), [receipts]);
  if (!receipts || !numbers || notes.length === 0)
    return <StreamedMarkdown text={part.text} isStreaming={isStreaming} />;
  return (
    <StreamedMarkdown
      text={part.text}
      notes={notes}
      drawNote={(id) => <SentenceNote receipts={receipts} numbers={numbers} unit={id} />}
    />
  );
}

function SentenceNote({
  receipts,
  numbers,
  unit: at,
}: {
  receipts: Receipts;
  numbers: ReadonlyMap<string, number>;
  unit: number;
}) {
  const unit = receipts.units[at];
  if (!unit) return null;
  if (unit.status === 'unsupported') return <span className={classes.unbacked}>{t('not in what was read')}</span>;
  if (unit.status === 'hidden')
    return <span className={classes.unbacked}>{t('based on a record you may not read')}</span>;
  const refs = (unit.refs ?? []).filter((ref) => numbers.has(ref));
  const missing = unit.missing ?? [];
  return (
    <span className={classes.receipts}>
      {refs.slice(0, chipsMax).map((ref) => {
        const record = receipts.records[ref];
        return record && <ReceiptChip key={ref} number={numbers.get(ref) ?? 0} record={record} />;
      })}
      {refs.length > chipsMax && (
        <span className={classes.unbacked}>
          {plural(refs.length - chipsMax, 'and {count} more record', 'and {count} more records')}
        </span>
      )}
      {missing.length > 0 && (
        <span className="visually-hidden">{t('Not in these records: {words}', { words: missing.join(', ') })}</span>
      )}
    </span>
  );
}

/** One quiet line under an answer. */
export function BackedLine({ receipts }: { receipts: Receipts }) {
  const { backed, checked } = countBacked(receipts);
  if (checked === 0) return null;
  return (
    <Text size="xs" c="dimmed" className={classes.backed ?? ''}>
      {backed === checked && <Check size={12} aria-hidden="true" />}
      {plural(
        checked,
        '{backed} of {count} sentence backed by what was read',
        '{backed} of {count} sentences backed by what was read',
        {
          backed,
        },
      )}
      {receipts.truncated && <> {t('The answer is too long to check all of it.')}</>}
    </Text>
  );
}
