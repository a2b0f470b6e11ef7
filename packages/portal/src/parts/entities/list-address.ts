import { useRead } from '../../api/query.ts';
import type { LinkTarget } from '../../frame/link-target.ts';

/** The side bar's page for the blueprint's entities if there is one, else the blueprint itself. */
export function useListAddress(blueprint: string): LinkTarget {
  const { data } = useRead('getSidebar');
  const page = data?.sidebar.items.find(
    (item) => item.sidebarType === 'page' && item.type === 'blueprint-entities' && item.blueprint === blueprint,
  );
  return page
    ? { to: '/catalog/$page', params: { page: page.identifier } }
    : { to: '/builder/data-model/$blueprint', params: { blueprint } };
}
