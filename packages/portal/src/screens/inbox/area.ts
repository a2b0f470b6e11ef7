import { area } from '../../frame/area.ts';

export default area({
  screens: [],
  panels: [{ kind: 'inbox', title: 'Inbox', load: () => import('./inbox.panel.tsx') }],
});
