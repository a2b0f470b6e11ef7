export { listAgentWidgets, switchAgentWidgets } from './agent-widgets.ts';
export { createPageListener } from './automatic-pages.ts';
export { listPageRows } from './page.store.ts';
export { createPages } from './pages.module.ts';
export { findPages } from './read-pages.ts';
export { createPageWithin, deletePageWithin } from './write-pages.ts';
