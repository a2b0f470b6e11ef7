import { isRecord } from '@portolan/contract/json-value';
import type { LoopEvent } from './loop-event.ts';

/** A record that a turn showed: its number is the same for the whole conversation. */
export interface RecalledRecord {
  readonly ref: string;
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

/** What later turns are told of a call. */
export interface RecalledCall {
  readonly tool: string;
  /** In words, such as `blueprint service, limit 25`. */
  readonly arguments: string;
  readonly isError: boolean;
  /** Undefined where the result had no count. */
  readonly total?: number | undefined;
  readonly records: readonly RecalledRecord[];
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
export function recallEvents(events: readonly LoopEvent[]): readonly RecalledCall[] {
  const recall = createRecall([]);
  for (const event of events) {
    if (event.type === 'tool-call') recall.call(event.id, event.name, event.arguments);
    if (event.type === 'tool-result') recall.result(event.id, event.content, event.isError);
  }
  return recall.calls();
}

/** Numbers records in the order of first appearance, after those that earlier turns numbered. */
export function createRecall(earlier: readonly RecalledCall[]): Recall {
  const refs = new Map<string, string>();
  let last = 0;
  for (const { records } of earlier)
    for (const { ref, blueprint, identifier } of records) {
      refs.set(`${blueprint}/${identifier}`, ref);
      last = Math.max(last, Number(ref.slice(1)) || 0);
    }
  const open = new Map<string, { readonly tool: string; readonly args: unknown }>();
  const calls: RecalledCall[] = [];
  const number = (record: Omit<RecalledRecord, 'ref'>): RecalledRecord => {
    const key = `${record.blueprint}/${record.identifier}`;
    const ref = refs.get(key) ?? `r${++last}`;
    refs.set(key, ref);
    return { ref, ...record };
  };
  return {
    call: (id, tool, args) => void open.set(id, { tool, args: parse(args) }),
    result(id, content, isError) {
      const { tool, args } = open.get(id) ?? { tool: 'tool', args: undefined };
      if (calls.length >= callsMax) return;
      const value = isError ? undefined : parse(content);
      const records = recordsOf(value, args).slice(0, recordsMax).map(number);
      const total = totalOf(value);
      calls.push({
        tool,
        arguments: inWords(args),
        isError,
        ...(total === undefined ? {} : { total }),
        records,
      });
    },
    calls: () => calls,
  };
}

const listsOf: Readonly<Record<string, string | undefined>> = {
  entities: undefined,
  entity: undefined,
  teams: '_team',
  team: '_team',
  users: '_user',
  user: '_user',
};

function recordsOf(value: unknown, args: unknown): Omit<RecalledRecord, 'ref'>[] {
  if (!isRecord(value)) return [];
  return Object.entries(listsOf).flatMap(([key, type]) => {
    const found = value[key];
    const all: unknown[] = Array.isArray(found) ? found : isRecord(found) ? [found] : [];
    return all.flatMap((each) => {
      if (!isRecord(each) || typeof each['identifier'] !== 'string') return [];
      const asked = isRecord(args) ? args['blueprint'] : undefined;
      const blueprint = type ?? [each['blueprint'], asked].find((name) => typeof name === 'string');
      if (typeof blueprint !== 'string') return [];
      const identifier = each['identifier'];
      const title = typeof each['title'] === 'string' ? each['title'] : identifier;
      return [{ blueprint, identifier, title: title.slice(0, titleCharactersMax) }];
    });
  });
}

function totalOf(value: unknown): number | undefined {
  if (!isRecord(value)) return undefined;
  const total = value['total'] ?? value['count'];
  return typeof total === 'number' ? total : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inWords(args: unknown): string {
  if (!isRecord(args)) return '';
  const words = Object.entries(args).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.join(', ').slice(0, argumentsCharactersMax);
}
