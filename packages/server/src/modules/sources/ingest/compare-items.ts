import { hash } from 'node:crypto';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { RawItem } from './ingest-item.ts';
import { findLedger } from './ledger.store.ts';
import type { StoredSync, SyncProblem } from './sync.ts';

/** Items of a chunk beside what is known of them. */
export interface Compared {
  readonly fresh: readonly { readonly item: RawItem; readonly hash: string }[];
  readonly seen: { readonly keys: readonly string[]; readonly entities: number };
  readonly doubles: readonly SyncProblem[];
}

/** Tells items that are as the source left them from those that have to be looked into. */
export async function compareItems(
  { tx, actor }: Work,
  sync: StoredSync,
  held: ReadonlyMap<string, StoredBlueprint>,
  items: readonly RawItem[],
): Promise<Compared> {
  if (sync.sourceKey === null) {
    return { fresh: items.map((item) => ({ item, hash: '' })), seen: { keys: [], entities: 0 }, doubles: [] };
  }
  const seed = JSON.stringify(sync.options);
  const digestOf = ({ text, blueprints }: RawItem): string => {
    const versions = blueprints.map((name) => `${held.get(name)?.key}.${held.get(name)?.version}`).join();
    return hash('sha256', `${seed}\n${versions}\n${text}`, 'hex').slice(0, 32);
  };
  const known = new Map<string, { hash: string | null; isCurrent: boolean; isSeen: boolean; entities: number }>();
  for (const row of await findLedger(
    tx,
    actor.orgId,
    sync.sourceKey,
    items.map(({ key }) => key),
  )) {
    const earlier = known.get(row.itemKey);
    const digest = row.hash?.toString('hex') ?? null;
    known.set(row.itemKey, {
      // a part that has to be tried again makes its item so
      hash: !earlier || earlier.hash === digest ? digest : null,
      isCurrent: row.isCurrent && (earlier?.isCurrent ?? true),
      isSeen: row.seenIn === sync.key && !sync.isPlan,
      entities: (earlier?.entities ?? 0) + (row.entityKey === null ? 0 : 1),
    });
  }
  const fresh: { item: RawItem; hash: string }[] = [];
  const doubles: SyncProblem[] = [];
  const inChunk = new Map<string, { line: number; hash: string }>();
  const keys: string[] = [];
  let entities = 0;
  for (const item of items) {
    const digest = digestOf(item);
    const stored = known.get(item.key);
    const earlier = inChunk.get(item.key);
    // a host that is read says what is there now, also the second time; of two lines of a file one is a mistake
    const isAgain = stored?.isSeen === true && sync.mode !== 'import';
    const first = earlier?.hash ?? (stored?.isSeen && !isAgain ? stored.hash : undefined);
    if (first !== undefined && first !== null && first !== digest) {
      doubles.push(definedTwice(item, earlier?.line));
      continue;
    }
    inChunk.set(item.key, { line: item.line, hash: digest });
    const isAsBefore = stored?.hash === digest && stored.isCurrent;
    if (isAsBefore || earlier) {
      keys.push(item.key);
      if (!isAgain) entities += stored?.entities ?? 1;
    } else fresh.push({ item, hash: digest });
  }
  return { fresh, seen: { keys, entities }, doubles };
}

function definedTwice({ line, key }: RawItem, firstLine: number | undefined): SyncProblem {
  const where = firstLine === undefined ? 'before' : `on line ${firstLine}`;
  const message = `"${key}" was there ${where} with other content; the first counts. Leave one of them out`;
  return { severity: 'error', code: 'defined_twice', message, line, itemKey: key };
}
