import type { SourceState } from '@portolan/contract/sources';
import { type AnswerOf, call, errorCode } from '../../../api/api.ts';
import { locale } from '../../../kit/language.ts';
import { t } from '../../../kit/translate.ts';

export type OwnSource = AnswerOf<'getSource'>['source'];
export type Sync = AnswerOf<'getSourceSync'>['sync'];

/** How often a screen looks while a sync runs, and while none does. */
const busyMs = 2_000;
const idleMs = 15_000;

export const stateWords = {
  live: [t('Live'), 'green'],
  waiting: [t('Waiting for the first sync'), 'blue'],
  late: [t('Late'), 'yellow'],
  failing: [t('Failing'), 'red'],
  paused: [t('Paused'), 'lightGray'],
} as const satisfies Record<SourceState, readonly [string, string]>;

export const modeWords = {
  full: t('Everything'),
  changes: t('What changed'),
  event: 'One event',
  plan: t('Plan'),
  import: t('Import'),
} as const satisfies Record<Sync['mode'], string>;

export const statusWords = {
  waiting: t('Waiting'),
  running: t('Running'),
  completed: t('Completed'),
  incomplete: t('Incomplete'),
  failed: t('Failed'),
  cancelled: t('Stopped'),
} as const satisfies Record<Sync['status'], string>;

export function isOpen(sync: Sync | null | undefined): boolean {
  return sync?.status === 'waiting' || sync?.status === 'running';
}

export function refetchMs(isBusy: boolean): number {
  return isBusy ? busyMs : idleMs;
}

/** Reads that are stale when a source or what it wrote has changed. */
export const sourceReads = [
  'listSources',
  'getSource',
  'listSourceSyncs',
  'listSourceSyncProblems',
  'listMissing',
] as const;

const figures = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  deleted: 'deleted',
  marked: t('kept for now'),
  released: 'let go',
  contested: t('changed by others, too'),
  refused: 'refused',
} as const satisfies Partial<Record<keyof Sync['counts'], string>>;

/** "12 read: 3 created, 9 unchanged", without what is zero. */
export function countsText({ counts }: Pick<Sync, 'counts'>): string {
  const parts = Object.entries(figures).flatMap(([name, word]) => {
    const count = counts[name as keyof typeof figures];
    return count > 0 ? [`${count.toLocaleString(locale)} ${word}`] : [];
  });
  return t('{read} read{word}', {
    read: counts.read.toLocaleString(locale),
    word: parts.length > 0 ? `: ${parts.join(', ')}` : '',
  });
}

/** An item by the name that people know it by, where it has one. */
export function nameItem(item: Readonly<Record<string, unknown>>): string {
  const { path, name } = (item['document'] ?? {}) as Readonly<Record<string, unknown>>;
  const known = [path, name, item['key']].find((each) => typeof each === 'string');
  return `${String(item['kind'])} ${String(known)}`;
}

/** Begins a sync of everything; one that runs already will do. */
export async function readNow(identifier: string): Promise<void> {
  try {
    await call('startSourceSync', { params: { source_identifier: identifier }, body: { mode: 'full' } });
  } catch (error) {
    if (errorCode(error) !== 'sync_in_progress') throw error;
  }
}
