import type { Page, PageBody, PageType, Widget } from '@portolan/contract/pages';
import type { Grant } from '../rights/index.ts';

/** What people wrote of a page, without what stands in columns of its own. */
export type PageDefinition = Partial<Omit<PageBody, 'identifier' | 'type' | 'blueprint' | 'visibility'>>;

/** Who may see and change a page; what is absent has the default. */
export interface PageRights {
  readonly read?: Grant;
  readonly update?: Grant;
}

/** A page as the module works with it. */
export interface StoredPage {
  /** Absent for a page that exists without having been made. */
  readonly key?: number;
  readonly identifier: string;
  readonly type: PageType;
  readonly blueprintKey: number | null;
  readonly blueprint: string | null;
  readonly definition: PageDefinition;
  /** Of a private page: who alone sees it. */
  readonly owner: string | null;
  readonly rights: PageRights | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The home page and the pages of entities: they exist without being made, and can be changed but not deleted. */
export function isBuiltIn({ type }: Pick<StoredPage, 'type'>): boolean {
  return type === 'home' || type === 'entity';
}

export function isInSidebar({ type, owner, definition }: StoredPage): boolean {
  return type !== 'entity' && type !== 'home' && owner === null && definition.showInSidebar !== false;
}

/** The page as it is answered: what was never set is absent; `sidebar` tells that it is in the side bar. */
export function presentPage(page: StoredPage): Page {
  const { widgets, pageFilters, sidebar, ...written } = page.definition;
  return {
    identifier: page.identifier,
    type: page.type,
    ...(page.blueprint === null ? {} : { blueprint: page.blueprint }),
    ...written,
    ...(page.owner === null ? {} : { visibility: 'private' as const }),
    ...(sidebar === undefined && isInSidebar(page) ? { sidebar: 'catalog' } : {}),
    ...(sidebar === undefined ? {} : { sidebar }),
    ...(widgets ? { widgets: widgets as Page['widgets'] } : {}),
    ...(pageFilters ? { pageFilters: pageFilters as Page['pageFilters'] } : {}),
    createdAt: page.createdAt.toISOString(),
    createdBy: page.createdBy,
    updatedAt: page.updatedAt.toISOString(),
    updatedBy: page.updatedBy,
  } as Page;
}

/** The widgets of a page, with those inside others. */
export function* allWidgets(widgets: readonly Widget[]): Generator<Widget> {
  for (const widget of widgets) {
    yield widget;
    yield* allWidgets(innerWidgets(widget));
  }
}

/** The widgets that one holds: those of a dashboard, or of the groups of a grouper. */
export function innerWidgets(widget: Widget): Widget[] {
  const groups = Array.isArray(widget['groups']) ? widget['groups'] : [];
  return [...widgetsIn(widget['widgets']), ...groups.flatMap((group) => widgetsIn(group?.widgets))];
}

function widgetsIn(value: unknown): Widget[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
