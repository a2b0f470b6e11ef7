import type { RailNode } from '../../frame/rail-tree.ts';
import { t } from '../../kit/translate.ts';

type Page = Extract<RailNode['item'], { readonly sidebarType: 'page' }>;

export interface CatalogGroup {
  readonly key: string;
  readonly title: string;
  readonly pages: readonly Page[];
}

/**
 * The pages whose names are wanted: those outside folders, each folder with all that lies in it, and the types by name. Groups
 * without pages are left out.
 */
export function groupPages(nodes: readonly RailNode[], isWanted: (name: string) => boolean): readonly CatalogGroup[] {
  const wanted = (pages: readonly Page[]) => pages.filter((page) => isWanted(nameOf(page)));
  const loose = nodes.flatMap(({ item }) => (isPage(item) ? [item] : []));
  const isType = ({ type }: Page) => type === 'blueprint-entities';
  const folders = nodes.filter(({ item }) => item.sidebarType === 'folder');
  return [
    { key: 'pages', title: t('Pages'), pages: wanted(loose.filter((page) => !isType(page))) },
    ...folders.map((node) => ({
      key: `folder ${node.item.identifier}`,
      title: nameOf(node.item),
      pages: wanted(pagesIn(node.children)),
    })),
    {
      key: 'types',
      title: t('Types'),
      pages: wanted(loose.filter(isType)).toSorted((left, right) => nameOf(left).localeCompare(nameOf(right))),
    },
  ].filter(({ pages }) => pages.length > 0);
}

function pagesIn(nodes: readonly RailNode[]): Page[] {
  return nodes.flatMap(({ item, children }) => (isPage(item) ? [item] : pagesIn(children)));
}

function isPage(item: RailNode['item']): item is Page {
  return item.sidebarType === 'page';
}

function nameOf({ title, identifier }: RailNode['item']): string {
  return title ?? identifier;
}
