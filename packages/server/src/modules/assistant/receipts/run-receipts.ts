import type { Receipts } from '@portolan/contract/receipts';
import type { RecordsOf } from '../../../platform/tools/tool-records.ts';
import { makeReceipts } from './make-receipts.ts';
import { createMarkScanner, type MarkScanner } from './mark-scanner.ts';
import { createRecordNumbers } from './number-records.ts';

/** Follows a run: numbers what it reads, takes the marks out of what it says, and compares both at the end. */
export interface RunReceipts {
  readonly marks: MarkScanner;
  /** The result of a call as the model is shown it. */
  show(result: {
    readonly tool: string;
    readonly call: string;
    readonly asked: unknown;
    readonly text: string;
  }): string;
  /** `text` is the end of everything that was said. Undefined if nothing was read. */
  finish(text: string): Promise<Receipts | undefined>;
}

export interface RunReceiptsPorts {
  readonly recordsOf: (tool: string) => RecordsOf | undefined;
  readonly now: () => Date;
}

export function createRunReceipts({ recordsOf, now }: RunReceiptsPorts): RunReceipts {
  const numbers = createRecordNumbers();
  const marks = createMarkScanner(() => numbers.records.length > 0);
  return {
    marks,
    show: (result) => numbers.show({ ...result, recordsOf: recordsOf(result.tool), readAt: now() }),
    async finish(text) {
      if (numbers.records.length === 0 || text === '') return undefined;
      const start = marks.length - text.length;
      const within = marks.marks.filter(({ at }) => at > start).map(({ ref, at }) => ({ ref, at: at - start }));
      return makeReceipts(text, within, numbers.records);
    },
  };
}
