import { Network } from 'lucide-react';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    { path: '/builder/data-model', title: 'Data model', load: () => import('./data-model.screen.tsx') },
    { path: '/builder/data-model/$blueprint', title: 'Blueprint', load: () => import('./blueprint.screen.tsx') },
    {
      path: '/builder/data-model/$blueprint/migrate-data',
      title: 'Migrate data',
      load: () => import('./migrate-data.screen.tsx'),
    },
    {
      path: '/builder/data-model/$blueprint/permissions',
      title: 'Permissions',
      load: () => import('./permissions.screen.tsx'),
    },
  ],
  destinations: [
    {
      label: 'Data model',
      to: '/builder/data-model',
      icon: Network,
      where: 'builder',
      order: 10,
      goKey: 'b',
      // moderators may migrate data and see who may do what
      isFor: ({ roles }) => roles.some((role) => role !== 'Member'),
    },
  ],
});
