export { listAgentWidgets, switchAgentWidgets } from './agent-widgets.ts';
export { createPageKeeper } from './automatic-pages.ts';
export { createPages } from './pages.module.ts';
