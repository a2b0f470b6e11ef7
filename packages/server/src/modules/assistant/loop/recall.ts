import { isRecord } from '@portolan/contract/json-value';
import { parseJson } from '../../../platform/parse-json.ts';
import type { EarlierNumbers, ReadRecord, ReadThing, RecordNumbers } from '../receipts/number-records.ts';
import type { LoopEvent } from './loop-event.ts';

/** A record that a turn showed: its number is the same for the whole conversation. */
export interface RecalledRecord extends ReadThing {
  readonly ref: string;
  readonly title: string;
}

/** What later turns are told of a call. */
export interface RecalledCall {
  readonly tool: string;
  /** In words, such as `blueprint service, limit 25`. */
  readonly arguments: string;
  readonly isError: boolean;
  /** Of its figures, or of its whole answer. */
  readonly ref?: string | undefined;
  /** Undefined where the result had no count. */
  readonly total?: number | undefined;
  readonly records: readonly RecalledRecord[];
  /** Records beyond those, which are not told but keep their numbers: reference, blueprint, identifier. */
  readonly others?: readonly (readonly [ref: string, blueprint: string, identifier: string])[] | undefined;
  /** The highest number of each letter after the call. */
  readonly last?: Readonly<Record<string, number>> | undefined;
}

export interface Recall {
  call(id: string, name: string, args: string): void;
  result(id: string, content: string, isError: boolean): void;
  /** The calls with their results so far. */
  calls(): readonly RecalledCall[];
}

const recordsMax = 50;
const callsMax = 40;
const argumentsCharactersMax = 160;
const titleCharactersMax = 120;

/** The calls of a turn from its stored stream, for a question that kept no recall because it stood alone. */
export function recallEvents(events: readonly LoopEvent[], numbers: RecordNumbers): readonly RecalledCall[] {
  const recall = createRecall(numbers);
  for (const event of events) {
    if (event.type === 'tool-call') recall.call(event.id, event.name, event.arguments);
    if (event.type === 'tool-result') recall.result(event.id, event.content, event.isError);
  }
  return recall.calls();
}

/** Keeps calls with what they showed, under the numbers of the run. */
export function createRecall(numbers: RecordNumbers): Recall {
  const open = new Map<string, { readonly tool: string; readonly args: unknown }>();
  const calls: RecalledCall[] = [];
  return {
    call: (id, tool, args) => void open.set(id, { tool, args: parseJson(args) }),
    result(id, content, isError) {
      const { tool, args } = open.get(id) ?? { tool: 'tool', args: undefined };
      if (calls.length >= callsMax) return;
      const read = isError ? [] : numbers.read({ tool, call: id, asked: args, text: content });
      const things = read.flatMap(toRecalled);
      const whole = read.find(({ kind }) => kind === 'figures' || kind === 'answer');
      const total = isError ? undefined : totalOf(parseJson(content));
      const others = things.slice(recordsMax);
      calls.push({
        tool,
        arguments: inWords(args),
        isError,
        ...(whole ? { ref: whole.ref } : {}),
        ...(total === undefined ? {} : { total }),
        records: things.slice(0, recordsMax),
        ...(others.length === 0
          ? {}
          : { others: others.map(({ ref, blueprint, identifier }) => [ref, blueprint, identifier]) }),
        last: numbers.last(),
      });
    },
    calls: () => calls,
  };
}

/** The numbers that these calls gave. Of calls whose records are not for the reader only how far the numbers got. */
export function numbersIn(calls: readonly (RecalledCall & { readonly isUnseen?: boolean })[]): EarlierNumbers {
  const last: Record<string, number> = {};
  const things: (ReadThing & { readonly ref: string })[] = [];
  const saw = (letter: string, number: number): void => {
    last[letter] = Math.max(last[letter] ?? 0, number);
  };
  for (const { ref, records, others = [], last: after = {}, isUnseen = false } of calls) {
    const named = [
      ...records.map(({ ref, blueprint, identifier }) => ({ ref, blueprint, identifier })),
      ...others.map(([ref, blueprint, identifier]) => ({ ref, blueprint, identifier })),
    ];
    for (const [letter, number] of Object.entries(after)) saw(letter, number);
    for (const each of [ref, ...named.map((thing) => thing.ref)])
      if (each !== undefined) saw(each.charAt(0), Number(each.slice(1)) || 0);
    if (!isUnseen) things.push(...named);
  }
  return { things, last };
}

function toRecalled({ ref, thing, value }: ReadRecord): RecalledRecord[] {
  if (!thing) return [];
  const { title, name } = value as { readonly title?: unknown; readonly name?: unknown };
  const shown = [title, name].find((each) => typeof each === 'string') ?? thing.identifier;
  return [{ ref, ...thing, title: (shown as string).slice(0, titleCharactersMax) }];
}

function totalOf(value: unknown): number | undefined {
  if (!isRecord(value)) return undefined;
  const total = value['total'] ?? value['count'];
  return typeof total === 'number' ? total : undefined;
}

function inWords(args: unknown): string {
  if (!isRecord(args)) return '';
  const words = Object.entries(args).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.join(', ').slice(0, argumentsCharactersMax);
}
