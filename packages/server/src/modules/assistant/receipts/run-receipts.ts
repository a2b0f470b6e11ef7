import type { Receipts } from '@portolan/contract/receipts';
import type { Unbacked } from '../loop/hold-back.ts';
import { makeReceipts } from './make-receipts.ts';
import { createMarkScanner, type MarkScanner } from './mark-scanner.ts';
import {
  createRecordNumbers,
  type EarlierNumbers,
  type NumberingPorts,
  type ReadRecord,
  type RecordNumbers,
  type ToolResult,
} from './number-records.ts';

/** Follows a run: numbers what it reads, takes the marks out of what it says, and compares both at the end. */
export interface RunReceipts {
  readonly marks: MarkScanner;
  readonly numbers: RecordNumbers;
  /** The result of a call as the model is shown it. */
  show(result: ToolResult): string;
  /** `text` is the end of everything that was said. Undefined if nothing was read. */
  finish(text: string): Promise<Receipts | undefined>;
  /** What of the same text is not backed; undefined if all of it is. Without anything read, nothing is. */
  findUnbacked(text: string): Promise<readonly Unbacked[] | undefined>;
}

/** What was too much to check is not backed. */
function unbackedIn(text: string, { units, truncated }: Receipts): readonly Unbacked[] | undefined {
  const found = units.flatMap(({ status, start, end, missing = [] }) =>
    status === 'partly' || status === 'unsupported' ? [{ sentence: text.slice(start, end), missing }] : [],
  );
  if (truncated) found.push({ sentence: 'The answer is too long to be compared with what was read.', missing: [] });
  return found.length > 0 ? found : undefined;
}

export interface RunReceiptsPorts extends NumberingPorts {
  /** What the conversation numbered before; absent for a question that stands alone. */
  readonly earlier?:
    | {
        readonly numbers: EarlierNumbers;
        /** What earlier turns read that an answer cites or names. */
        readonly read: (text: string, cited: ReadonlySet<string>) => Promise<readonly ReadRecord[]>;
      }
    | undefined;
}

export function createRunReceipts({ recordsOf, now, earlier }: RunReceiptsPorts): RunReceipts {
  const numbers = createRecordNumbers({ recordsOf, now }, earlier?.numbers);
  const hasEarlier = earlier !== undefined && Object.values(earlier.numbers.last).some((last) => last > 0);
  const marks = createMarkScanner(() => hasEarlier || numbers.records.length > 0);
  const check = async (text: string): Promise<Receipts> => {
    const start = marks.length - text.length;
    const within = marks.marks.filter(({ at }) => at > start).map(({ ref, at }) => ({ ref, at: at - start }));
    const cited = new Set(within.map(({ ref }) => ref));
    const before = hasEarlier ? await earlier.read(text, cited) : [];
    return makeReceipts(text, within, [...before, ...numbers.records]);
  };
  let checked: { readonly text: string; readonly receipts: Receipts } | undefined;
  return {
    marks,
    numbers,
    show: numbers.show,
    async finish(text) {
      if (text === '' || (!hasEarlier && numbers.records.length === 0)) return undefined;
      // an answer that was held back until it was checked
      return checked?.text === text ? checked.receipts : check(text);
    },
    async findUnbacked(text) {
      const receipts = await check(text);
      checked = { text, receipts };
      return unbackedIn(text, receipts);
    },
  };
}
