// Bypasses rights; only for the migrations and the demo.
export { changePagePermissionsWithin } from './change-page-permissions.ts';
export { dropBlueprintPages, listPageRows, setPageRights } from './page.store.ts';
export { presentPage, type StoredPage } from './page.ts';
export {
  mayChange as mayChangePage,
  maySee as maySeePage,
  pageTeamReferences as pageReferencesOf,
  presentRights as presentPageRights,
} from './page-rights.ts';
export { createFolderWithin } from './write-folders.ts';
export { createPageWithin, editPageWithin, replacePageWithin } from './write-pages.ts';
