import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/builder/new-action', title: 'New action', load: () => import('./new-action.screen.tsx') },
    { path: '/builder/actions/$action', title: 'Action', load: () => import('./action.screen.tsx') },
  ],
});
