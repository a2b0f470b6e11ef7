import { parseJson } from '../../../platform/parse-json.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { readEventsWithin } from '../event.store.ts';
import { toLoopEvents } from '../loop/read-back.ts';
import { numbersIn, type RecalledCall } from '../loop/recall.ts';
import { createRecordNumbers, type NumberingPorts, type ReadRecord } from './number-records.ts';

/** An earlier turn of a conversation, with what it read. */
export interface ReadingTurn {
  readonly id: string;
  readonly askedAt: Date;
  readonly calls: readonly RecalledCall[];
}

/** Turns that are read back for one answer. */
const turnsMax = 10;
const eventBytesMax = 1024 * 1024;

/** References that an answer to a follow-up may rest on: those that it cites, and things that it names. */
export function wantedIn(text: string, cited: ReadonlySet<string>, turns: readonly ReadingTurn[]): Set<string> {
  const said = text.toLowerCase();
  const wanted = new Set<string>();
  for (const { calls } of turns) {
    for (const { ref, records, others = [] } of calls) {
      if (ref !== undefined && cited.has(ref)) wanted.add(ref);
      for (const [other] of others) if (cited.has(other)) wanted.add(other);
      for (const record of records) {
        const names = [record.title, record.identifier].filter((name) => name.length > 1);
        if (cited.has(record.ref) || names.some((name) => said.includes(name.toLowerCase()))) wanted.add(record.ref);
      }
    }
  }
  return wanted;
}

/** What earlier turns read under these references, oldest first, as their tools answered then. */
export async function readEarlier(
  { database }: Pick<AssistantDeps, 'database'>,
  orgId: string,
  turns: readonly ReadingTurn[],
  wanted: ReadonlySet<string>,
  recordsOf: NumberingPorts['recordsOf'],
): Promise<ReadRecord[]> {
  if (wanted.size === 0) return [];
  const holding = turns.filter(({ calls }) => calls.some((call) => refsOf(call).some((ref) => wanted.has(ref))));
  const found: ReadRecord[] = [];
  for (const turn of holding.slice(-turnsMax)) {
    const { events } = await readEventsWithin(database, orgId, turn.id, eventBytesMax);
    found.push(...recordsIn(turn, toLoopEvents(events), recordsOf).filter(({ ref }) => wanted.has(ref)));
  }
  return found;
}

function recordsIn(
  { id, askedAt, calls }: ReadingTurn,
  events: ReturnType<typeof toLoopEvents>,
  recordsOf: NumberingPorts['recordsOf'],
): ReadRecord[] {
  const numbers = createRecordNumbers({ recordsOf, now: () => askedAt }, numbersIn(calls));
  const asked = new Map(events.flatMap((each) => (each.type === 'tool-call' ? [[each.id, each.arguments]] : [])));
  const results = events.filter((each) => each.type === 'tool-result');
  return results.flatMap(({ id: call, name: tool, content: text, isError }, at) => {
    const told = calls[at];
    if (isError || told?.tool !== tool) return [];
    const read = numbers.read({ tool, call, asked: parseJson(asked.get(call) ?? ''), text });
    return read.flatMap((record): ReadRecord[] => {
      if (record.thing) return [{ ...record, invocation: id }];
      const isWhole = record.kind === 'figures' || record.kind === 'answer';
      return isWhole && told.ref !== undefined ? [{ ...record, ref: told.ref, invocation: id }] : [];
    });
  });
}

function refsOf({ ref, records, others = [] }: RecalledCall): string[] {
  return [...(ref === undefined ? [] : [ref]), ...records.map((each) => each.ref), ...others.map(([other]) => other)];
}
