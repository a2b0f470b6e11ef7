import { useRouterState } from '@tanstack/react-router';
import { Hammer } from 'lucide-react';
import { type Session, useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { builderSections, type Destination, type RailArea } from './area.ts';
import { destinations } from './areas.ts';

/** What the top bar leads to, and which of them a screen belongs to. */
type TopArea = 'home' | 'catalog' | 'self-service' | 'ai' | 'builder';

const areasOfPaths: readonly (readonly [RegExp, TopArea])[] = [
  [/^\/($|first-steps)/, 'home'],
  [/^\/(catalog|e|new)(\/|$)/, 'catalog'],
  [/^\/(self-service|runs|approvals|workflow-runs)(\/|$)|^\/workflows\/[^/]+\/start$/, 'self-service'],
  [/^\/ai(\/|$)/, 'ai'],
  [/^\/(builder|imports|workflows)(\/|$)/, 'builder'],
];

/** Undefined for screens of the user's own, which belong to none. */
export function areaOfPath(path: string): TopArea | undefined {
  return areasOfPaths.find(([pattern]) => pattern.test(path))?.[1];
}

/** The entries of one place that somebody sees. */
export function listEntries(session: Session, where: Destination['where']): readonly Destination[] {
  return destinations.filter((each) => each.where === where && (each.isFor?.(session) ?? true));
}

/** The builder's entries under their headings, without empty ones. */
export function builderRail(
  session: Session,
): readonly { readonly title: string; readonly entries: readonly Destination[] }[] {
  const entries = listEntries(session, 'builder');
  return Object.entries(builderSections)
    .map(([name, title]) => ({ title, entries: entries.filter(({ section }) => section === name) }))
    .filter((section) => section.entries.length > 0);
}

interface TopEntry extends Pick<Destination, 'label' | 'to' | 'icon'> {
  readonly area: TopArea | undefined;
}

/** The areas as the bars show them: the builder begins with the first screen that somebody may use, and is not there without one. */
export function topEntries(session: Session): readonly TopEntry[] {
  const main = listEntries(session, 'main').map(({ label, to, icon }) => ({ label, to, icon, area: areaOfPath(to) }));
  const first = builderRail(session)[0]?.entries[0];
  return first ? [...main, { label: t('Builder'), to: first.to, icon: Hammer, area: 'builder' }] : main;
}

/** The area of the present screen, and whose rail it shows. Somebody without a builder keeps the rail of the catalog. */
export function useArea(): { readonly top: TopArea | undefined; readonly rail: RailArea } {
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const top = areaOfPath(path);
  if (top === 'ai') return { top, rail: 'ai' };
  if (top === 'builder' && builderRail(session).length > 0) return { top, rail: 'builder' };
  return { top: top === 'builder' ? undefined : top, rail: 'catalog' };
}
