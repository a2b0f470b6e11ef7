import { isRecord } from '@portolan/contract/json-value';
import type { ReceiptRecord } from '@portolan/contract/receipts';
import type { RecordsOf, ToolRecord } from '../../../platform/tools/tool-records.ts';

/** What an invocation read, under the reference by which its model may name it. */
export interface ReadRecord {
  readonly ref: string;
  readonly kind: Exclude<ReceiptRecord['kind'], 'hidden'>;
  readonly tool: string;
  readonly call: string;
  readonly readAt: Date;
  /** As the tool answered; text if that was no JSON. */
  readonly value: unknown;
  /** What the tool was asked. */
  readonly asked: unknown;
}

export interface ToolResult {
  readonly tool: string;
  readonly call: string;
  readonly asked: unknown;
  /** The text that the model is shown. */
  readonly text: string;
  readonly recordsOf: RecordsOf | undefined;
  readonly readAt: Date;
}

export interface RecordNumbers {
  readonly records: readonly ReadRecord[];
  /** The result for the model: each record has its reference as one more member, `_ref`. */
  show(result: ToolResult): string;
}

const letters = { entity: 'r', person: 'u', team: 'u', figures: 'c', document: 'k', answer: 'x' } as const;

/** More than any model reads in fifteen results of 32 KiB. */
const recordsMax = 5_000;

/** Numbers records in the order in which they are shown first; an entity that is read again gets a new reference. */
export function createRecordNumbers(): RecordNumbers {
  const records: ReadRecord[] = [];
  const counts = new Map<string, number>();
  const add = (kind: ReadRecord['kind'], value: unknown, { tool, call, asked, readAt }: ToolResult): string => {
    const letter = letters[kind];
    const number = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, number);
    const ref = `${letter}${number}`;
    records.push({ ref, kind, tool, call, readAt, value, asked });
    return ref;
  };
  return {
    records,
    show(result) {
      const content = parse(result.text);
      if (records.length >= recordsMax) return result.text;
      const found: readonly ToolRecord[] = content === undefined ? [] : (result.recordsOf?.(content) ?? []);
      const refs = found.map(({ kind, value }) => [value, add(kind, { ...value }, result)] as const);
      if (refs.length === 0)
        refs.push([isRecord(content) ? content : {}, add('answer', content ?? result.text, result)]);
      if (!isRecord(content)) return result.text;
      for (const [value, ref] of refs) value['_ref'] = ref;
      return JSON.stringify(content);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
