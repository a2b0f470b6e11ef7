import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/approvals', title: 'Approvals', load: () => import('./approvals.screen.tsx') },
    { path: '/approvals/$run', title: 'Approval', load: () => import('./approval.screen.tsx') },
  ],
});
