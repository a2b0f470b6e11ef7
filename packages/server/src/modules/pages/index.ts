export { listAgentWidgets, switchAgentWidgets } from './agent-widgets.ts';
export { createPageKeeper } from './automatic-pages.ts';
export { changePagePermissionsWithin } from './change-page-permissions.ts';
export { createPages } from './pages.module.ts';
export { createFolderWithin } from './write-folders.ts';
export { createPageWithin, replacePageWithin } from './write-pages.ts';
