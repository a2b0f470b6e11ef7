export { listAgentWidgets, switchAgentWidgets } from './agent-widgets.ts';
export { createPageListener } from './automatic-pages.ts';
export { createPages } from './pages.module.ts';
