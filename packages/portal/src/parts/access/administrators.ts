import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';

interface Administrator {
  readonly email: string;
  readonly name: string;
}

/** The active administrators, as far as the user may see them. */
export function useAdministrators(isOn = true): readonly Administrator[] {
  // stands in the refusal of the same read: reading again would replace it by a skeleton, and so on without end
  const { data } = useRead('listUsers', undefined, { isOn, retriesOnMount: false });
  return (data?.users ?? [])
    .filter(({ roles, status }) => status === 'Active' && roles?.some(({ name }) => name === 'Admin'))
    .map(({ firstName, lastName, email = '' }) => ({
      email,
      name: [firstName, lastName].filter(Boolean).join(' ') || email,
    }));
}

/** Up to three names, and how many more there are. */
export function joinNames(people: readonly Administrator[]): string {
  const names = people.slice(0, 3).map(({ name }) => name);
  const more = people.length - names.length;
  return [...names, ...(more > 0 ? [t('{more} more', { more })] : [])].join(', ');
}
