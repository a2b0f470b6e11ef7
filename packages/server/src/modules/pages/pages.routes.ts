import * as contract from '@portolan/contract/pages';
import * as sidebars from '@portolan/contract/sidebars';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { warningHeader } from '../../platform/http/warning.ts';
import { changePagePermissions, readPagePermissions } from './change-page-permissions.ts';
import { presentPage } from './page.ts';
import type { PagesDeps } from './pages.deps.ts';
import { getPage, listPages } from './read-pages.ts';
import { readSidebar } from './sidebar.ts';
import { createFolder, deleteFolder, patchFolder } from './write-folders.ts';
import {
  addWidget,
  createPage,
  deletePage,
  patchWidget,
  removeWidget,
  replacePage,
  type WrittenPage,
} from './write-pages.ts';

export function pageRoutes(deps: PagesDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listPages, async ({ query }, { actor }) => {
      const pages = (await listPages(database, actor)).map(presentPage);
      return { pages: query.compact ? pages.map(compact) : pages };
    }),
    route(contract.createPage, async ({ body }, { actor }) => written(await createPage(deps, actor, body))),
    route(contract.getPage, async ({ params }, { actor }) => ({
      page: presentPage(await getPage(database, actor, params.page_identifier)),
    })),
    route(contract.replacePage, async ({ params, query, body }, { actor }) =>
      written(await replacePage(deps, actor, params.page_identifier, body, query.expectedVersion)),
    ),
    route(contract.deletePage, async ({ params }, { actor }) => {
      await deletePage(deps, actor, params.page_identifier);
      return {};
    }),
    ...widgetRoutes(deps),
    route(contract.getPagePermissions, async ({ params }, { actor }) => ({
      ...(await readPagePermissions(deps, actor, params.page_identifier)),
    })),
    route(contract.patchPagePermissions, async ({ params, body }, { actor }) => {
      const { permissions, warnings } = await changePagePermissions(deps, actor, params.page_identifier, body);
      return new HttpAnswer({ permissions }, { headers: warningHeader(warnings) });
    }),
    ...sidebarRoutes(deps),
  ];
}

function widgetRoutes(deps: PagesDeps): Route[] {
  return [
    route(contract.addWidget, async ({ params, body }, { actor }) => ({
      identifier: await addWidget(deps, actor, params.page_identifier, body),
    })),
    route(contract.patchWidget, async ({ params, body }, { actor }) => ({
      identifier: await patchWidget(deps, actor, params.page_identifier, params.widget_id, body),
    })),
    route(contract.deleteWidget, async ({ params }, { actor }) => {
      await removeWidget(deps, actor, params.page_identifier, params.widget_id);
      return {};
    }),
  ];
}

function sidebarRoutes(deps: PagesDeps): Route[] {
  return [
    route(sidebars.getSidebar, async (_input, { actor }) => ({
      sidebar: { identifier: 'catalog' as const, items: await readSidebar(deps.database, actor) },
    })),
    route(sidebars.createFolder, async ({ body }, { actor }) => ({ folder: await createFolder(deps, actor, body) })),
    route(sidebars.patchFolder, async ({ params, body }, { actor }) => ({
      folder: await patchFolder(deps, actor, params.folder_identifier, body),
    })),
    route(sidebars.deleteFolder, async ({ params }, { actor }) => {
      await deleteFolder(deps, actor, params.folder_identifier);
      return {};
    }),
  ];
}

/** Clients read the identifier from either place. */
function written({ page, warnings }: WrittenPage) {
  return new HttpAnswer({ identifier: page.identifier, page: presentPage(page) }, { headers: warningHeader(warnings) });
}

function compact({ widgets: _widgets, pageFilters: _filters, ...page }: contract.Page): contract.Page {
  return page;
}
