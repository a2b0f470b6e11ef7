import { UsersRound } from 'lucide-react';
import { isAdmin } from '../../api/session.ts';
import { area } from '../../frame/area.ts';

export default area({
  screens: [
    {
      path: '/builder/users-and-teams',
      title: 'Users and teams migration',
      load: () => import('./migration.screen.tsx'),
    },
  ],
  destinations: [
    {
      label: 'Team migration',
      to: '/builder/users-and-teams',
      icon: UsersRound,
      where: 'builder',
      order: 90,
      isFor: isAdmin,
    },
  ],
});
