import { Clock, type LucideIcon, Pencil, Play, Plus, Rocket, Siren, Users } from 'lucide-react';
import { exact } from '../../kit/time.ts';
import type { TimelineEvent } from './timeline-marks.ts';

export const eventKinds: Readonly<Record<TimelineEvent['kind'], { readonly word: string; readonly icon: LucideIcon }>> =
  {
    created: { word: 'Created', icon: Plus },
    changed: { word: 'Change', icon: Pencil },
    owner: { word: 'Owner', icon: Users },
    timer: { word: 'Timer', icon: Clock },
    run: { word: 'Action', icon: Play },
    deployment: { word: 'Deployment', icon: Rocket },
    incident: { word: 'Incident', icon: Siren },
  };

const outcomeWords = { success: 'succeeded', failure: 'failed', running: 'in progress', waiting: 'waiting' } as const;

/** An incident that is open or over, or how anything else went. */
export function outcomeWord({ kind, outcome }: TimelineEvent): string {
  if (!outcome) return '';
  if (kind !== 'incident') return outcomeWords[outcome];
  return outcome === 'success' ? 'resolved' : 'open';
}

/** An event in one line, for a name. */
export function sentence(event: TimelineEvent): string {
  const kind = eventKinds[event.kind].word;
  const word = event.dependency ? `${kind} of ${dependencyName(event.dependency)}` : kind;
  const title = event.kind === 'created' ? '' : event.title;
  return [title ? `${word}: ${title}` : word, outcomeWord(event), exact(new Date(event.at))].filter(Boolean).join(', ');
}

export function dependencyName({ title, identifier }: NonNullable<TimelineEvent['dependency']>): string {
  return title || identifier;
}
