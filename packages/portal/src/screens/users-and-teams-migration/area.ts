import { UsersRound } from 'lucide-react';
import { isAdmin } from '../../api/session.ts';
import { area } from '../../frame/area.ts';

export default area({
  destinations: [
    {
      label: 'Team migration',
      to: '/builder/users-and-teams',
      icon: UsersRound,
      where: 'builder',
      section: 'Organization',
      order: 90,
      isFor: isAdmin,
    },
  ],
});
