import type { PackChange } from '@portolan/contract/packs';
import type { AnswerOf, OperationName } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

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
  { change: 'conflict', title: t('In conflict') },
  { change: 'kept', title: t('Stays') },
  { change: 'shared', title: t('Stays for another model') },
  { change: 'skipped', title: t('Left out') },
  { change: 'renamed', title: t('New, under another name') },
  { change: 'new', title: t('New') },
  { change: 'removed', title: t('Is removed') },
  { change: 'same', title: t('There already') },
] as const;

/** `Property "Tier" of service`. */
export function describeItem({ kind, title, blueprint }: Pick<PackChange, 'kind' | 'title' | 'blueprint'>): string {
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} “${title}”`;
  return blueprint === null ? name : t('{name} of {blueprint}', { name, blueprint });
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
