import { Clock, type LucideIcon, Pencil, Play, Plus, Rocket, Siren, Users } from 'lucide-react';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import type { TimelineEvent } from './timeline-marks.ts';

export const eventKinds: Readonly<Record<TimelineEvent['kind'], { readonly word: string; readonly icon: LucideIcon }>> =
  {
    created: { word: t('Created'), icon: Plus },
    changed: { word: t('Change'), icon: Pencil },
    owner: { word: t('Owner'), icon: Users },
    timer: { word: t('Timer'), icon: Clock },
    run: { word: t('Action'), icon: Play },
    deployment: { word: t('Deployment'), icon: Rocket },
    incident: { word: t('Incident'), icon: Siren },
  };

const outcomeWords = {
  success: t('succeeded'),
  failure: t('failed'),
  running: t('in progress'),
  waiting: t('waiting'),
};

/** An incident that is open or over, or how anything else went. */
export function outcomeWord({ kind, outcome }: TimelineEvent): string {
  if (!outcome) return '';
  if (kind !== 'incident') return outcomeWords[outcome];
  return outcome === 'success' ? t('resolved') : t('open');
}

/** An event in one line, for a name. */
export function sentence(event: TimelineEvent): string {
  const kind = eventKinds[event.kind].word;
  const word = event.dependency
    ? t('{kind} of {dependency}', { kind, dependency: dependencyName(event.dependency) })
    : kind;
  const title = event.kind === 'created' ? '' : event.title;
  return [title ? `${word}: ${title}` : word, outcomeWord(event), exact(new Date(event.at))].filter(Boolean).join(', ');
}

export function dependencyName({ title, identifier }: NonNullable<TimelineEvent['dependency']>): string {
  return title || identifier;
}
