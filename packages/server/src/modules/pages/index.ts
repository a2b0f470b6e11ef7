export { listAgentWidgets, switchAgentWidgets } from './agent-widgets.ts';
export { createPageKeeper } from './automatic-pages.ts';
export { changePagePermissionsWithin } from './change-page-permissions.ts';
export { dropPagesOf, listPageRows, setPageRights } from './page.store.ts';
export { presentPage, type StoredPage } from './page.ts';
export {
  mayChange as mayChangePage,
  maySee as maySeePage,
  presentRights as presentPageRights,
  referencesOf as pageReferencesOf,
} from './page-rights.ts';
export { createPages } from './pages.module.ts';
export { createFolderWithin } from './write-folders.ts';
export { createPageWithin, editPageWithin, replacePageWithin } from './write-pages.ts';
