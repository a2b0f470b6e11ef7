import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/runs', title: 'Runs', load: () => import('./runs.screen.tsx') },
    { path: '/runs/$run', title: 'Run', load: () => import('./run.screen.tsx') },
  ],
});
