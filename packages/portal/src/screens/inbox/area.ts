import { area } from '../../frame/area.ts';

export default area({
  panels: [{ kind: 'inbox', title: 'Inbox', load: () => import('./inbox.panel.tsx') }],
});
