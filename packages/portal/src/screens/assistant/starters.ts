import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';

/** Suggested questions, based on the organization's own blueprints. */
export function useStarters(context?: { readonly label: string }): readonly string[] {
  const { data } = useRead('listBlueprints');
  const titles = (data?.blueprints ?? [])
    .filter(({ identifier }) => identifier !== undefined && !identifier.startsWith('_'))
    .map(({ title, identifier }) => title || identifier || '');
  const [first, second] = titles.some((title) => title === 'Service') ? ['Service', ...titles] : titles;
  if (first === undefined) return context ? [t('What should I know about {label}?', { label: context.label })] : [];
  return [
    ...(context ? [t('What should I know about {label}?', { label: context.label })] : []),
    t('Which {first} entities have no owner?', { first }),
    t('How many {first} entities are there?', { first }),
    ...(second !== undefined && second !== first && !context
      ? [t('List the newest {second} entities', { second })]
      : []),
  ];
}
