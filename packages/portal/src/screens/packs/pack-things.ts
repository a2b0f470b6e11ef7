import type { PackChange } from '@portolan/contract/packs';
import type { AnswerOf, OperationName } from '../../api/api.ts';

export type Pack = AnswerOf<'listPacks'>['packs'][number];

/** Reads that an installed or removed model makes stale. */
export const packReads: OperationName[] = [
  'listPacks',
  'listBlueprints',
  'getSidebar',
  'listPages',
  'listActions',
  'listScorecards',
  'listAllScorecards',
];

/** The changes of a plan in the order in which people decide on them; groups without any are left out. */
export function groupChanges(changes: readonly PackChange[]) {
  return groups
    .map((group) => ({ ...group, changes: changes.filter(({ change }) => change === group.change) }))
    .filter((group) => group.changes.length > 0);
}

const groups = [
  { change: 'conflict', title: 'In conflict' },
  { change: 'kept', title: 'Stays' },
  { change: 'shared', title: 'Stays for another model' },
  { change: 'skipped', title: 'Left out' },
  { change: 'renamed', title: 'New, under another name' },
  { change: 'new', title: 'New' },
  { change: 'removed', title: 'Is removed' },
  { change: 'same', title: 'There already' },
] as const;

/** `Property "Tier" of service`. */
export function describeItem({ kind, title, blueprint }: Pick<PackChange, 'kind' | 'title' | 'blueprint'>): string {
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} “${title}”`;
  return blueprint === null ? name : `${name} of ${blueprint}`;
}

/** `4 blueprints, 1 scorecard, 3 pages`. */
export function summarizePack({ blueprints, counts }: Pick<Pack, 'blueprints' | 'counts'>): string {
  const parts = [
    { count: blueprints.length, one: 'blueprint' },
    { count: counts.scorecards, one: 'scorecard' },
    { count: counts.pages, one: 'page' },
    { count: counts.actions, one: 'action' },
  ];
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, one }) => (count === 1 ? `1 ${one}` : `${count} ${one}s`))
    .join(', ');
}
