import { useRead } from '../../api/query.ts';

/** Suggested questions, based on the organization's own blueprints. */
export function useStarters(context?: { readonly label: string }): readonly string[] {
  const { data } = useRead('listBlueprints');
  const titles = (data?.blueprints ?? [])
    .filter(({ identifier }) => identifier !== undefined && !identifier.startsWith('_'))
    .map(({ title, identifier }) => title || identifier || '');
  const [first, second] = titles.some((title) => title === 'Service') ? ['Service', ...titles] : titles;
  if (first === undefined) return context ? [`What should I know about ${context.label}?`] : [];
  return [
    ...(context ? [`What should I know about ${context.label}?`] : []),
    `Which ${first} entities have no owner?`,
    `How many ${first} entities are there?`,
    ...(second !== undefined && second !== first && !context ? [`List the newest ${second} entities`] : []),
  ];
}
