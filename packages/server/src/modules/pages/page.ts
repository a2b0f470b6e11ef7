import type { Page, PageBody, PageType, Widget } from '@portolan/contract/pages';
import type { Grant } from '../rights/index.ts';

/** The parts of a page without columns of their own. */
export type PageDefinition = Partial<Omit<PageBody, 'identifier' | 'type' | 'blueprint' | 'visibility'>>;

/** Absent members have the default. */
export interface PageRights {
  readonly read?: Grant;
  readonly update?: Grant;
}

export interface StoredPage {
  /** Absent for an automatic page that was never saved. */
  readonly key?: number;
  readonly identifier: string;
  readonly type: PageType;
  readonly blueprintKey: number | null;
  readonly blueprint: string | null;
  readonly definition: PageDefinition;
  /** The only person who sees a private page. */
  readonly owner: string | null;
  readonly rights: PageRights | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The home page and entity pages exist without being created; they can be changed but not deleted. */
export function isBuiltIn({ type }: Pick<StoredPage, 'type'>): boolean {
  return type === 'home' || type === 'entity';
}

export function isInSidebar({ type, owner, definition }: StoredPage): boolean {
  return type !== 'entity' && type !== 'home' && owner === null && definition.showInSidebar !== false;
}

/** Unset members are absent; `sidebar` is true if the page is in the side bar. */
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

/** Includes nested widgets. */
export function* allWidgets(widgets: readonly Widget[]): Generator<Widget> {
  for (const widget of widgets) {
    yield widget;
    yield* allWidgets(innerWidgets(widget));
  }
}

/** Widgets of a dashboard, or of a grouper's groups. */
export function innerWidgets(widget: Widget): Widget[] {
  const groups = Array.isArray(widget['groups']) ? widget['groups'] : [];
  return [...widgetsIn(widget['widgets']), ...groups.flatMap((group) => widgetsIn(group?.widgets))];
}

function widgetsIn(value: unknown): Widget[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}
