import type { Receipts, ReceiptUnit } from '@portolan/contract/receipts';
import type { TextNote } from '../../kit/markdown-notes.ts';
import { type Answer, type AnswerPart, answerText } from './answer-events.ts';

type TextPart = Extract<AnswerPart, { kind: 'text' }>;

/** Sentences that say something of their own behind them, as places in a part of the answer. */
export function notesIn(answer: Answer, part: TextPart): TextNote[] {
  const { receipts, parts } = answer;
  if (!receipts) return [];
  const before = parts.slice(0, parts.indexOf(part));
  const start = before.reduce((sum, each) => sum + (each.kind === 'text' ? each.text.length : 0), 0);
  // what was checked is the end of everything that was said
  const base = answerText(answer).length - receipts.length - start;
  return receipts.units.flatMap((unit, id): TextNote[] => {
    const place = { start: base + unit.start, end: base + unit.end };
    const isWithin = place.start >= 0 && place.end <= part.text.length;
    if (!isWithin || !saysSomething(unit)) return [];
    return [{ ...place, id, underlined: unit.missing ?? [] }];
  });
}

function saysSomething({ status, refs = [] }: ReceiptUnit): boolean {
  return status === 'unsupported' || status === 'hidden' || refs.length > 0;
}

/** The numbers of records, in the order in which the answer rests on them. */
export function numberRecords({ units, records }: Receipts): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { refs = [] } of units)
    for (const ref of refs) if (Object.hasOwn(records, ref) && !numbers.has(ref)) numbers.set(ref, numbers.size + 1);
  return numbers;
}

/** How many of the sentences with something to check are backed; those that the reader may not see aside. */
export function countBacked({ units }: Receipts): { readonly backed: number; readonly checked: number } {
  const checked = units.filter(({ status }) => status !== 'plain' && status !== 'hidden');
  const backed = checked.filter(({ status }) => status === 'supported' || status === 'linked');
  return { backed: backed.length, checked: checked.length };
}
