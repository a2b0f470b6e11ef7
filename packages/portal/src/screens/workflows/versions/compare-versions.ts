import { t } from '../../../kit/translate.ts';
import { type Connection, connectionWay, type Definition, wayKey } from '../document/definition.ts';

export interface VersionChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly key: string;
  readonly text: string;
}

/** What changed from one version to another, step by step and connection by connection. */
export function compareVersions({
  before,
  after,
}: {
  before: Definition;
  after: Definition;
}): readonly VersionChange[] {
  const nodes = compare(
    before.nodes,
    after.nodes,
    ({ identifier }) => identifier,
    ({ identifier, title }) => title || identifier,
  );
  const lines = compare(before.connections, after.connections, connectionKey, connectionWords);
  return [
    ...nodes.map((each) => ({ ...each, key: `node ${each.key}` })),
    ...lines.map(({ kind, key, text }) => ({
      kind: kind === 'changed' ? ('moved' as const) : kind,
      key: `connection ${key}`,
      text,
    })),
  ];
}

function compare<Item>(
  before: readonly Item[],
  after: readonly Item[],
  name: (item: Item) => string,
  words: (item: Item) => string,
): readonly VersionChange[] {
  const [old, now] = [
    new Map(before.map((each) => [name(each), each])),
    new Map(after.map((each) => [name(each), each])),
  ];
  const removed = before.filter((each) => !now.has(name(each)));
  return [
    ...after.flatMap((each): VersionChange[] => {
      const key = name(each);
      const earlier = old.get(key);
      if (!earlier) return [{ kind: 'added', key, text: words(each) }];
      return JSON.stringify(earlier) === JSON.stringify(each) ? [] : [{ kind: 'changed', key, text: words(each) }];
    }),
    ...removed.map((each): VersionChange => ({ kind: 'removed', key: name(each), text: words(each) })),
  ];
}

function connectionKey(connection: Connection): string {
  return `${connection.sourceIdentifier} ${wayKey(connectionWay(connection))}`;
}

function connectionWords(connection: Connection): string {
  const { sourceIdentifier: source, targetIdentifier: target } = connection;
  const way = connectionWay(connection);
  if ('outlet' in way) return t('{source}, {outlet}, leads to {target}', { source, target, outlet: way.outlet });
  return 'fallback' in way
    ? t('{source}, otherwise, leads to {target}', { source, target })
    : t('{source} leads to {target}', { source, target });
}
