import { useMemo } from 'react';
import type { Names } from './property-value.tsx';
import { useTeams } from './team-form.ts';
import type { Titles } from './titles.ts';

/** What the values of entities are called: related entities by title, teams by name. */
export function useNames(titles: Titles): Names {
  const { nameOf, havePages } = useTeams();
  return useMemo(() => ({ titles, teamName: nameOf, teamsHavePages: havePages }), [titles, nameOf, havePages]);
}
